#include "runtime/kernel/host_shim.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kBefore = R"GPY(
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

// glibc's vector forms of C's functions, which loops over elements then call (within 4 ulp).
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define _GPY_VECTOR_1(name) \
  __attribute__((simd("notinbranch"))) double name(double) noexcept; \
  __attribute__((simd("notinbranch"))) float name##f(float) noexcept;
#define _GPY_VECTOR_2(name) \
  __attribute__((simd("notinbranch"))) double name(double, double) noexcept; \
  __attribute__((simd("notinbranch"))) float name##f(float, float) noexcept;
extern "C" {
_GPY_VECTOR_1(sin) _GPY_VECTOR_1(cos) _GPY_VECTOR_1(exp) _GPY_VECTOR_1(log) _GPY_VECTOR_2(pow)
#if __GLIBC_PREREQ(2, 35)
_GPY_VECTOR_1(acos) _GPY_VECTOR_1(acosh) _GPY_VECTOR_1(asin) _GPY_VECTOR_1(asinh) _GPY_VECTOR_1(atan)
_GPY_VECTOR_1(atanh) _GPY_VECTOR_1(cbrt) _GPY_VECTOR_1(cosh) _GPY_VECTOR_1(erf) _GPY_VECTOR_1(erfc)
_GPY_VECTOR_1(exp2) _GPY_VECTOR_1(expm1) _GPY_VECTOR_1(log10) _GPY_VECTOR_1(log1p)
_GPY_VECTOR_1(log2) _GPY_VECTOR_1(sinh) _GPY_VECTOR_1(tan) _GPY_VECTOR_1(tanh)
_GPY_VECTOR_2(atan2) _GPY_VECTOR_2(hypot)
#endif
}
#endif
#if defined(__clang__)
#define _GPY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define _GPY_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static thread_local
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
using std::abs; using std::fabs; using std::sqrt; using std::cbrt; using std::exp; using std::exp2;
using std::expm1; using std::log; using std::log2; using std::log10; using std::log1p; using std::sin;
using std::cos; using std::tan; using std::asin; using std::acos; using std::atan; using std::atan2;
using std::sinh; using std::cosh; using std::tanh; using std::asinh; using std::acosh; using std::atanh;
using std::pow; using std::hypot; using std::floor; using std::ceil; using std::trunc; using std::round;
using std::rint; using std::fmod; using std::fmin; using std::fmax; using std::fma; using std::erf;
using std::erfc; using std::tgamma; using std::lgamma; using std::isnan; using std::isinf;
using std::isfinite; using std::signbit; using std::copysign; using std::nextafter; using std::ldexp;
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct uint3 { unsigned x, y, z; };
struct float2 { float x, y; };
struct float3 { float x, y, z; };
struct float4 { float x, y, z, w; };
struct double2 { double x, y; };
struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline double2 make_double2(double x, double y) { return {x, y}; }
static inline int2 make_int2(int x, int y) { return {x, y}; }
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static thread_local uint3 threadIdx, blockIdx;
static thread_local dim3 blockDim, gridDim;
static const int warpSize = 32;
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
static inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline float saturate(float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; }
static inline float __saturatef(float x) { return saturate(x); }
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __powf(x, y) powf(x, y)
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
static inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
static inline float normcdf(float x) { return normcdff(x); }
static inline void _gpy_sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
#define sincosf _gpy_sincosf
static inline int __float_as_int(float x) { int i; memcpy(&i, &x, 4); return i; }
static inline float __int_as_float(int x) { float f; memcpy(&f, &x, 4); return f; }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
template <class T> static inline T __ldg(const T* p) { return *p; }
static inline void __threadfence() {}
static inline void __threadfence_block() {}

// Blocks run on several threads of the host, so atomics are real ones.
template <class T, class F> static inline T _gpy_atomic(T* at, F change) {
  T before, after;
  __atomic_load(at, &before, __ATOMIC_RELAXED);
  do after = change(before);
  while (!__atomic_compare_exchange(at, &before, &after, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return before;
}
template <class T, class U> static inline T atomicAdd(T* at, U x) { return _gpy_atomic(at, [=](T b) { return (T)(b + (T)x); }); }
template <class T, class U> static inline T atomicSub(T* at, U x) { return _gpy_atomic(at, [=](T b) { return (T)(b - (T)x); }); }
template <class T, class U> static inline T atomicMin(T* at, U x) { return _gpy_atomic(at, [=](T b) { return (T)x < b ? (T)x : b; }); }
template <class T, class U> static inline T atomicMax(T* at, U x) { return _gpy_atomic(at, [=](T b) { return b < (T)x ? (T)x : b; }); }
template <class T, class U> static inline T atomicAnd(T* at, U x) { return _gpy_atomic(at, [=](T b) { return (T)(b & (T)x); }); }
template <class T, class U> static inline T atomicOr(T* at, U x) { return _gpy_atomic(at, [=](T b) { return (T)(b | (T)x); }); }
template <class T, class U> static inline T atomicXor(T* at, U x) { return _gpy_atomic(at, [=](T b) { return (T)(b ^ (T)x); }); }
template <class T, class U> static inline T atomicExch(T* at, U x) { return _gpy_atomic(at, [=](T) { return (T)x; }); }
template <class T, class U, class V> static inline T atomicCAS(T* at, U expected, V x) { return _gpy_atomic(at, [=](T b) { return b == (T)expected ? (T)x : b; }); }
)GPY";

// One launcher a kernel: runs the blocks [first, last) of a grid with arguments unpacked.
constexpr std::string_view kAfter = R"GPY(
template <class T> struct _gpy_value { typedef T type; };
template <class T> struct _gpy_value<T&> { typedef T type; };
template <int... I> struct _gpy_list {};
template <int N, int... I> struct _gpy_count : _gpy_count<N - 1, N - 1, I...> {};
template <int... I> struct _gpy_count<0, I...> { typedef _gpy_list<I...> type; };
template <class... A, int... I>
static inline void _gpy_call(void (*kernel)(A...), void* const* arguments, _gpy_list<I...>) {
  (void)arguments;
  kernel(*(typename _gpy_value<A>::type*)arguments[I]...);
}
template <class... A>
static void _gpy_run(void (*kernel)(A...), void* const* arguments, const unsigned* shape, long long first, long long last) {
  gridDim = dim3(shape[0], shape[1], shape[2]);
  blockDim = dim3(shape[3], shape[4], shape[5]);
  for (long long block = first; block < last; ++block) {
    blockIdx.x = (unsigned)(block % shape[0]);
    blockIdx.y = (unsigned)(block / shape[0] % shape[1]);
    blockIdx.z = (unsigned)(block / shape[0] / shape[1]);
    for (threadIdx.z = 0; threadIdx.z < shape[5]; ++threadIdx.z)
      for (threadIdx.y = 0; threadIdx.y < shape[4]; ++threadIdx.y)
        for (threadIdx.x = 0; threadIdx.x < shape[3]; ++threadIdx.x)
          _gpy_call(kernel, arguments, typename _gpy_count<sizeof...(A)>::type());
  }
}
)GPY";

}  // namespace

std::string_view host_shim_before() { return kBefore; }
std::string_view host_shim_after() { return kAfter; }

}  // namespace gpy::rt
