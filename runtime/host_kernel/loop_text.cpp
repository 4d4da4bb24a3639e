#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// The threads of a block run one after another.
constexpr std::string_view kLoops = R"GPY(
static thread_local uint3 threadIdx, blockIdx;
static thread_local dim3 blockDim, gridDim;
static thread_local _gpy_position* _gpy_here;
static inline void _gpy_yield() {}
// The barrier has it in memory before any later access.
static inline void _gpy_mark(long long i) {
  _gpy_here->element = i;
  asm volatile("" : : : "memory");
}
)GPY";

// Runs blocks, each as a loop over its threads.
constexpr std::string_view kLauncher = R"GPY(
// The kernel's accesses come after the note of their thread: what depends on i comes after the
// second statement, which comes after the first. A barrier for all memory would make each thread
// read its arguments anew.
template <class... A>
static inline __attribute__((always_inline)) void _gpy_block(void (*kernel)(A...), const unsigned* shape, _gpy_position* at, typename _gpy_value<A>::type... values) {
  const unsigned x = shape[3], y = shape[4], z = shape[5];
  for (unsigned k = 0; k < z; ++k)
    for (unsigned j = 0; j < y; ++j) {
      at->thread[1] = j; at->thread[2] = k;
      for (unsigned i = 0; i < x; ++i) {
        at->thread[0] = i;
        unsigned noted = i;
        asm volatile("" : "+r"(noted));
        threadIdx.x = noted; threadIdx.y = j; threadIdx.z = k;
        kernel(values...);
      }
    }
}
template <class... A>
static inline __attribute__((always_inline)) void _gpy_blocks(void (*kernel)(A...), const unsigned* shape, long long first, long long last, _gpy_position* at, typename _gpy_value<A>::type... values) {
  const unsigned wide = shape[0], high = shape[1];
  unsigned x = (unsigned)(first % wide), y = (unsigned)(first / wide % high), z = (unsigned)(first / wide / high);
  for (long long block = first; block < last; ++block) {
    at->block[0] = blockIdx.x = x; at->block[1] = blockIdx.y = y; at->block[2] = blockIdx.z = z;
    at->thread[0] = at->thread[1] = at->thread[2] = 0;
    asm volatile("" : : : "memory");
    _gpy_block<A...>(kernel, shape, at, values...);
    if (++x == wide) { x = 0; if (++y == high) { y = 0; ++z; } }
  }
}
template <class... A, int... I>
static inline __attribute__((always_inline)) void _gpy_unpacked(void (*kernel)(A...), void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at, _gpy_list<I...>) {
  (void)arguments;
  _gpy_blocks<A...>(kernel, shape, first, last, at, *(typename _gpy_value<A>::type*)arguments[I]...);
}
// The kernel is called where it cannot be seen, so that no access leaves its thread.
template <class... A, int... I>
static __attribute__((noinline)) void _gpy_marked(void (*volatile kernel)(A...), void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at, _gpy_list<I...> all) {
  _gpy_unpacked(kernel, arguments, shape, first, last, at, all);
}
template <class... A>
static int _gpy_run(void (*kernel)(A...), void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at) {
  gridDim = dim3(shape[0], shape[1], shape[2]);
  blockDim = dim3(shape[3], shape[4], shape[5]);
  _gpy_here = at;
  typename _gpy_count<sizeof...(A)>::type all;
  try {
    if (at->marks) _gpy_marked<A...>(kernel, arguments, shape, first, last, at, all);
    else _gpy_unpacked(kernel, arguments, shape, first, last, at, all);
  } catch (...) {
    _gpy_uncaught();
    return 1;
  }
  return 0;
}
)GPY";

// As a launcher, so that it can be left like a kernel.
constexpr std::string_view kInitialiser = R"GPY(
_GPY_VISIBLE int _gpy_initialise(void* const*, const unsigned*, long long, long long, _gpy_position* at, const _gpy_block_memory*) {
  _gpy_here = at;
  try {
    _gpy_initialise_all();
  } catch (...) {
    _gpy_uncaught();
    return 1;
  }
  return 0;
}
)GPY";

}  // namespace

std::string_view loop_text() { return kLoops; }

std::string_view loop_launcher_text() {
  static const std::string& text =
      *new std::string(std::string(kLauncher) + std::string(kInitialiser));
  return text;
}

}  // namespace gpy::rt
