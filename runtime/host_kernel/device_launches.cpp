#include "runtime/host_kernel/device_launches.h"

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

// `kernel<<<grid, block>>>(x)` is `_gpy_child<&kernel>("kernel", grid, block)(x)`.
constexpr std::string_view kText = R"GPY(
typedef struct CUstream_st* cudaStream_t;
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum cudaError_t { cudaSuccess = 0 };
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { *stream = 0; return cudaSuccess; }
static inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
static inline const char* cudaGetErrorString(cudaError_t) { return "no error"; }
#define cudaDeviceSynchronize() _Pragma("GCC error \"a kernel cannot wait for what it launches (CUDA 12 has no cudaDeviceSynchronize() in kernels): launch what comes after it into cudaStreamTailLaunch\"") (void)0
struct _gpy_child_launch {
  int (*launcher)(void* const*, const unsigned*, long long, long long, _gpy_position*, const _gpy_block_memory*);
  const char* kernel;
  unsigned shape[6];
  unsigned long long shared_bytes;
  const void* const* values;
  const unsigned long long* sizes;
  int count, at_tail;
  const void* at;
};
#line 1 "<called>"
static __attribute__((noinline)) void _gpy_launch_child(_gpy_child_launch& launch, const char* file, int line) {
  _gpy_here->file = file;
  _gpy_here->line = line;
  launch.at = __builtin_return_address(0);
  _gpy_host.launched(&launch);
}
template <auto kernel> struct _gpy_child;
template <class... A, void (*kernel)(A...)> struct _gpy_child<kernel> {
  const char* name;
  dim3 grid, block;
  unsigned long long shared;
  cudaStream_t stream;
  const char* file;
  int line;
  _gpy_child(const char* name, dim3 grid, dim3 block, unsigned long long shared = 0, cudaStream_t stream = 0, const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : name(name), grid(grid), block(block), shared(shared), stream(stream), file(file), line(line) {}
#ifdef _GPY_STACK_SHIFT
  static __attribute__((noinline)) void enter() { _gpy_fiber_run<kernel>::enter(); }
#endif
  _GPY_UNWATCHED static int run(void* const* arguments, const unsigned* shape, long long first, long long last, _gpy_position* at, const _gpy_block_memory* memory) {
#ifdef _GPY_STACK_SHIFT
    return _gpy_run_fibers(&enter, 0, arguments, shape, first, last, at, memory);
#else
    (void)memory;
    return _gpy_run(kernel, arguments, shape, first, last, at);
#endif
  }
  inline __attribute__((always_inline)) void operator()(A... values) const {
    const void* const addresses[] = {&values..., 0};
    const unsigned long long sizes[] = {sizeof(values)..., 0};
    _gpy_child_launch launch = {&run, name, {grid.x, grid.y, grid.z, block.x, block.y, block.z}, shared, addresses, sizes,
                                (int)sizeof...(A), stream == cudaStreamTailLaunch, 0};
    _gpy_launch_child(launch, file, line);
  }
};
)GPY";

// Where the template arguments that end before `end` begin; `end` where there are none.
size_t before_template_arguments(std::string_view clean, size_t end) {
  if (end == 0 || clean[end - 1] != '>') return end;
  int depth = 0;
  for (size_t i = end; i-- > 0;) {
    depth += clean[i] == '>' || clean[i] == ')' ? 1 : clean[i] == '<' || clean[i] == '(' ? -1 : 0;
    if (depth == 0) return i;
  }
  return end;
}

// The first character of the kernel's name that ends before `end`: `other::scale<float>`.
size_t name_start(std::string_view clean, size_t end) {
  size_t at = before_template_arguments(clean, end);
  while (at > 0 && (is_name_char(clean[at - 1]) || clean[at - 1] == ':')) --at;
  return at;
}

// Behind the `>>>` that closes what opens at `open`; npos where none does.
size_t configuration_end(std::string_view clean, size_t open) {
  int depth = 0;
  for (size_t i = open + 3; i < clean.size(); ++i) {
    depth += clean[i] == '(' ? 1 : clean[i] == ')' ? -1 : 0;
    if (depth < 0 || clean[i] == ';') break;
    if (depth == 0 && clean.compare(i, 3, ">>>") == 0 && clean.compare(i, 4, ">>>>") != 0)
      return i + 3;
  }
  return clean.npos;
}

}  // namespace

std::string with_child_launches(const std::string& source) {
  if (source.find("<<<") == source.npos) return source;
  const std::string clean = without_comments(source);
  std::string out;
  size_t done = 0;
  for (size_t open = clean.find("<<<"); open != clean.npos; open = clean.find("<<<", open + 3)) {
    size_t end = open;
    while (end > done && is_blank(clean[end - 1])) --end;
    const size_t start = name_start(clean, end), close = configuration_end(clean, open);
    if (start >= end || start < done || close == clean.npos) continue;
    const std::string name = source.substr(start, end - start);
    out.append(source, done, start - done).append("_gpy_child<&").append(name);
    out.append(">(\"").append(name).append("\", ").append(source, end, open - end);
    out.append(source, open + 3, close - open - 6).append(")");
    done = close;
  }
  return out.append(source, done);
}

std::string_view child_launch_text(std::string_view translated) {
  return translated.find("_gpy_child<&") == translated.npos ? std::string_view() : kText;
}

}  // namespace gpy::rt
