#include "runtime/host_kernel/host_shim.h"

#include <fmt/format.h>

#include "runtime/host_kernel/block_stacks.h"
#include "runtime/host_kernel/shared_memory.h"
#include "runtime/host_kernel/shim_texts.h"
#include "runtime/host_kernel/thread_loops.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kHeader = R"GPY(
#include <sys/types.h>
#include <cassert>
#include <cstdint>
// libstdc++'s special functions of mathematics are most of <cmath>; CUDA has none of them.
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <type_traits>
)GPY";

constexpr std::string_view kMacros = R"GPY(
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
#define _GPY_NO_CLONE
#else
#define _GPY_INDEPENDENT _Pragma("GCC ivdep")
#define _GPY_NO_CLONE , noclone
#endif
#define _GPY_UNWATCHED __attribute__((no_sanitize("thread")))
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ __attribute__((section(".tbss.gpy_shared"))) static thread_local
#define __managed__
#define __grid_constant__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
)GPY";

constexpr std::string_view kNames = R"GPY(
using std::abs; using std::fabs; using std::sqrt; using std::cbrt; using std::exp; using std::exp2;
using std::expm1; using std::log; using std::log2; using std::log10; using std::log1p; using std::sin;
using std::cos; using std::tan; using std::asin; using std::acos; using std::atan; using std::atan2;
using std::sinh; using std::cosh; using std::tanh; using std::asinh; using std::acosh; using std::atanh;
using std::pow; using std::hypot; using std::floor; using std::ceil; using std::trunc; using std::round;
using std::rint; using std::fmod; using std::fmin; using std::fmax; using std::fma; using std::erf;
using std::erfc; using std::tgamma; using std::lgamma; using std::isnan; using std::isinf;
using std::isfinite; using std::signbit; using std::copysign; using std::nextafter; using std::ldexp;
using std::remainder; using std::remquo; using std::modf; using std::frexp; using std::scalbn;
using std::scalbln; using std::ilogb; using std::logb; using std::nearbyint; using std::lrint;
using std::llrint; using std::lround; using std::llround; using std::fdim;
)GPY";

constexpr std::string_view kPosition = R"GPY(
static const int warpSize = 32;

// Where this thread is, for the message of a fault.
struct _gpy_position {
  volatile unsigned block[3], thread[3];
  volatile long long element;
  const char* volatile file;  // of the call of an atomic function
  volatile int line;
  int marks;
  long long first, end;  // the elements of a kernel that computes a range of them
};
// Where the threads of a block meet: their stacks, and the shared memory that the launch asks for.
struct _gpy_block_memory {
  void* region;
  char* shared;
  unsigned long shared_bytes;
  bool at_once;  // each block of the launch has one
  bool alone;    // one fiber runs all threads of a block
};
)GPY";

constexpr std::string_view kTable = R"GPY(
#define _GPY_VISIBLE extern "C" __attribute__((visibility("default"), used))
extern "C" {
struct _gpy_host_table {
  void (*poll)();               // at a loop edge, when _gpy_stop is set; may not return
  unsigned long long registers;  // bytes that xsave takes
  void (*end)(int how, const void* at, const char* what);  // leaves the kernel
  void (*threw)(const void* at, const char* what);         // notes what nobody caught
  // Of a checked kernel.
  void (*found)(const struct _gpy_finding* finding);
  void (*touched)(const struct _gpy_touch* touch);
  void (*came)(const struct _gpy_event* event);
  void (*declared)(const struct _gpy_shared_array* array);
  void (*launched)(const struct _gpy_child_launch* launch);
};
__attribute__((used, visibility("hidden"))) _gpy_host_table _gpy_host;
__attribute__((used, visibility("hidden"))) volatile unsigned long long _gpy_stop;
}
_GPY_VISIBLE _GPY_UNWATCHED volatile unsigned long long* _gpy_connect(const _gpy_host_table* host) {
  _gpy_host = *host;
  return &_gpy_stop;
}

)GPY";

constexpr std::string_view kWrappers = R"GPY(
// The linker turns calls of these functions into calls of their wrappers.
static thread_local void* _gpy_thrown;
static thread_local const void* _gpy_thrown_at;
extern "C" {
__attribute__((noreturn)) void __real___cxa_throw(void*, void*, void (*)(void*));
__attribute__((noreturn)) void __wrap___cxa_throw(void* object, void* type, void (*destroy)(void*)) {
  _gpy_thrown = object;
  _gpy_thrown_at = __builtin_return_address(0);
  __real___cxa_throw(object, type, destroy);
}
// Handlers are reached without a jump: a loop of throwing and catching is polled here.
void* __real___cxa_begin_catch(void*) noexcept;
void* __wrap___cxa_begin_catch(void* object) noexcept {
  if (_gpy_stop) _gpy_host.poll();
  return __real___cxa_begin_catch(object);
}
#define _GPY_JUMPS(name) \
  __attribute__((noreturn)) void __real_##name(void*, int); \
  __attribute__((noreturn)) void __wrap_##name(void* to, int value) { \
    if (_gpy_stop) _gpy_host.poll(); \
    __real_##name(to, value); \
  }
_GPY_JUMPS(longjmp) _GPY_JUMPS(_longjmp) _GPY_JUMPS(siglongjmp) _GPY_JUMPS(__longjmp_chk)
// Nothing of a kernel runs when its object, a thread or the process ends.
int __wrap___cxa_atexit(void (*)(void*), void*, void*) noexcept { return 0; }
int __wrap___cxa_thread_atexit(void (*)(void*), void*, void*) noexcept { return 0; }
int __wrap_atexit(void (*)()) noexcept { return 0; }
int __wrap_at_quick_exit(void (*)()) noexcept { return 0; }
int __wrap_on_exit(void (*)(int, void*), void*) noexcept { return 0; }
#define _GPY_ENDS(name, how, ...) \
  __attribute__((noreturn, noinline)) void __wrap_##name(__VA_ARGS__) { \
    _gpy_host.end(how, __builtin_return_address(0), 0); \
    __builtin_unreachable(); \
  }
_GPY_ENDS(abort, 0) _GPY_ENDS(_ZSt9terminatev, 0)
_GPY_ENDS(exit, 1, int) _GPY_ENDS(_exit, 1, int) _GPY_ENDS(_Exit, 1, int) _GPY_ENDS(quick_exit, 1, int)
__attribute__((noreturn, noinline)) void __wrap___assert_fail(const char* text, const char*, unsigned, const char*) {
  _gpy_host.end(2, __builtin_return_address(0), text);
  __builtin_unreachable();
}
}
// There may be nothing to throw again.
extern "C" {
void* __cxa_current_exception_type() noexcept;
__attribute__((noreturn)) void __real___cxa_rethrow();
__attribute__((noreturn, noinline)) void __wrap___cxa_rethrow() {
  if (!__cxa_current_exception_type()) _gpy_host.end(0, __builtin_return_address(0), 0);
  __real___cxa_rethrow();
}
}
static __attribute__((noinline, cold)) void _gpy_uncaught() {
  const std::exception_ptr thrown = std::current_exception();
  const void* object = *(void* const*)&thrown;
  const void* at = object == _gpy_thrown ? _gpy_thrown_at : 0;
  try {
    throw;
  } catch (const std::exception& error) {
    _gpy_host.threw(at, error.what());
  } catch (const char* text) {
    _gpy_host.threw(at, text);
  } catch (...) {
    _gpy_host.threw(at, 0);
  }
}
)GPY";

// For launchers, which unpack a kernel's arguments. Before the user's text, whose macros may have
// short names.
constexpr std::string_view kUnpacking = R"GPY(
template <class T> struct _gpy_value { typedef T type; };
template <class T> struct _gpy_value<T&> { typedef T type; };
template <int... I> struct _gpy_list {};
template <int N, int... I> struct _gpy_count : _gpy_count<N - 1, N - 1, I...> {};
template <int... I> struct _gpy_count<0, I...> { typedef _gpy_list<I...> type; };
)GPY";

// Gives the text's variables their first values.
constexpr std::string_view kInitialisers = R"GPY(
extern "C" {
extern void (*const __start_gpy_init[])() __attribute__((weak, visibility("hidden")));
extern void (*const __stop_gpy_init[])() __attribute__((weak, visibility("hidden")));
}
static void _gpy_initialise_all() {
  for (void (*const* each)() = __start_gpy_init; each != __stop_gpy_init; ++each) (*each)();
}
)GPY";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (std::string_view part : parts) out += part;
  return out;
}

std::string watched_definitions() {
  return fmt::format(
      "#define _GPY_WATCHED\n#define _GPY_SHARED_OFFSET {}ull\n#define _GPY_SHARED_BYTES {}ull\n",
      kSharedOffset, kMostDeclaredBytes);
}

}  // namespace

std::string host_shim(unsigned stack_shift, bool in_order, bool watched) {
  const std::string common =
      joined({kHeader, kMacros, kNames, vector_text(), kPosition, math_text(), intrinsic_text()});
  const std::string launching = joined({kTable, kWrappers, kUnpacking, kInitialisers});
  if (stack_shift == 0) {
    return common + joined({loop_text(), atomic_text(), launching, loop_launcher_text()});
  }
  return common + fmt::format("#define _GPY_STACK_SHIFT {}\n", stack_shift) +
         (in_order ? "#define _GPY_IN_ORDER\n" : "") + (watched ? watched_definitions() : "") +
         joined({event_text(), fiber_text(), atomic_text(), warp_text(), launching,
                 fiber_launcher_text(), watched ? watch_text() : ""});
}

std::string own_shim() {
  return joined({"#include <features.h>\n", own_functions_text(), kMacros, kPosition,
                 own_threads_text(), kTable, kUnpacking, own_launcher_text()});
}

std::string host_launcher(std::string_view kernel, std::string_view symbol, unsigned stack_shift,
                          bool names_grid, bool has_loops) {
  constexpr std::string_view kParameters =
      "void* const* _gpy_arguments, const unsigned* _gpy_shape, long long _gpy_first, "
      "long long _gpy_last, _gpy_position* _gpy_at, const _gpy_block_memory* _gpy_memory";
  const std::string run =
      stack_shift == 0
          ? fmt::format("_gpy_run(&{}, _gpy_arguments, _gpy_shape, _gpy_first, _gpy_last, _gpy_at)",
                        kernel)
          : fmt::format(
                "_gpy_run_fibers(&_gpy_enter_{}, {}{}, _gpy_arguments, _gpy_shape, _gpy_first, "
                "_gpy_last, _gpy_at, _gpy_memory)",
                symbol, has_loops ? "&_gpy_loops_" : "0", has_loops ? symbol : "");
  const std::string enter =
      stack_shift == 0 ? ""
                       : fmt::format(
                             "extern \"C\" __attribute__((noinline)) void _gpy_enter_{1}() "
                             "{{ _gpy_fiber_run<&{0}>::enter(); }}\n",
                             kernel, symbol);
  const std::string loops =
      has_loops ? fmt::format(
                      "extern \"C\" __attribute__((noinline)) void _gpy_loops_{1}() "
                      "{{ _gpy_loops_run<&{0}>::enter(); }}\n",
                      looped_name(std::string(kernel)), symbol)
                : "";
  const std::string grid =
      names_grid ? fmt::format("_GPY_VISIBLE const unsigned _gpy_names_grid_{} = 1;\n", symbol)
                 : "";
  return enter + loops + grid +
         fmt::format("_GPY_VISIBLE _GPY_UNWATCHED int _gpy_launch_{}({}) {{ return {}; }}\n",
                     symbol, kParameters, run);
}

}  // namespace gpy::rt
