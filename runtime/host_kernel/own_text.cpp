#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// C's functions as <cmath> declares them; the compiler knows most of them.
constexpr std::string_view kFunctions = R"GPY(
#define _GPY_1(name) \
  extern "C" double name(double) noexcept; \
  extern "C" float name##f(float) noexcept; \
  inline float name(float x) { return name##f(x); }
#define _GPY_2(name) \
  extern "C" double name(double, double) noexcept; \
  extern "C" float name##f(float, float) noexcept; \
  inline float name(float x, float y) { return name##f(x, y); }
_GPY_1(acos) _GPY_1(acosh) _GPY_1(asin) _GPY_1(asinh) _GPY_1(atan) _GPY_1(atanh) _GPY_1(cbrt)
_GPY_1(ceil) _GPY_1(cos) _GPY_1(cosh) _GPY_1(erf) _GPY_1(erfc) _GPY_1(exp) _GPY_1(exp2) _GPY_1(expm1)
_GPY_1(fabs) _GPY_1(floor) _GPY_1(lgamma) _GPY_1(log) _GPY_1(log10) _GPY_1(log1p) _GPY_1(log2)
_GPY_1(rint) _GPY_1(round) _GPY_1(sin) _GPY_1(sinh) _GPY_1(sqrt) _GPY_1(tan) _GPY_1(tanh)
_GPY_1(tgamma) _GPY_1(trunc)
_GPY_2(atan2) _GPY_2(copysign) _GPY_2(fmod) _GPY_2(hypot) _GPY_2(pow)
#undef _GPY_1
#undef _GPY_2
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double ldexp(double, int) noexcept;
extern "C" float ldexpf(float, int) noexcept;
)GPY";

constexpr std::string_view kThreads = R"GPY(
struct uint3 { unsigned x, y, z; };
typedef uint3 dim3;
static thread_local uint3 threadIdx, blockIdx;
static thread_local dim3 blockDim, gridDim;
static thread_local _gpy_position* _gpy_here;
)GPY";

// Blocks and threads stand along one axis. They run as loops around a call that cannot be seen, so
// the compiler reads each kernel once.
constexpr std::string_view kLauncher = R"GPY(
template <class... A, int... I>
static __attribute__((noinline)) void _gpy_blocks(void (*volatile kernel)(A...), void* const* arguments, unsigned threads, long long first, long long last, _gpy_position* at, _gpy_list<I...>) {
  for (long long block = first; block < last; ++block) {
    at->block[0] = blockIdx.x = (unsigned)block;
    for (unsigned i = 0; i < threads; ++i) {
      at->thread[0] = threadIdx.x = i;
      kernel(*(typename _gpy_value<A>::type*)arguments[I]...);
    }
  }
}
template <class... A>
static inline int _gpy_run(void (*kernel)(A...), void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at) {
  gridDim.x = shape[0];
  blockDim.x = shape[3];
  _gpy_here = at;
  _gpy_blocks(kernel, arguments, shape[3], first, last, at, typename _gpy_count<sizeof...(A)>::type());
  return 0;
}
_GPY_VISIBLE int _gpy_initialise(void* const*, const unsigned*, long long, long long, _gpy_position*, const _gpy_block_memory*) {
  return 0;
}
)GPY";

}  // namespace

std::string_view own_functions_text() { return kFunctions; }
std::string_view own_threads_text() { return kThreads; }
std::string_view own_launcher_text() { return kLauncher; }

}  // namespace gpy::rt
