#include "runtime/host_kernel/user_source.h"

#include <doctest/doctest.h>

#include "runtime/core/error.h"
#include "runtime/core/thread_pool.h"
#include "runtime/host_kernel/host_compiler.h"

namespace gpy::rt {
namespace {

const std::string kKernel = "extern \"C\" __global__ void f(int* x) { ";

bool meets(const std::string& body) { return read_source(kKernel + body + " }\n", "f").meets; }

}  // namespace

TEST_CASE("a text is searched for words of threads that meet") {
  for (const char* body :
       {"__syncthreads();", "__syncthreads_count(1);", "__syncwarp();",
        "__shfl_xor_sync(~0u, 1, 2);", "__shfl(1, 2);", "__ballot_sync(~0u, 1);", "__activemask();",
        "__match_any_sync(~0u, 1);", "__reduce_add_sync(~0u, 1);", "asm(\"bar.sync 0;\");",
        "extern __shared__ float s[];"}) {
    CAPTURE(body);
    CHECK(meets(body));
  }
  for (const char* body : {"x[0] = 1;", "__shared__ int s; s = x[0];", "// __syncthreads();",
                           "\n#ifdef __CUDACC_RTC__\n__syncthreads();\n#endif\n"}) {
    CAPTURE(body);
    CHECK_FALSE(meets(body));
  }
}

TEST_CASE("macros of the options are read with the text") {
  const auto read = [](const std::string& macro) {
    return read_source(kKernel + "x[threadIdx.x] = 1; A; x[B] = 1; }\n", "f", {"-D" + macro});
  };
  CHECK(read("A=__syncthreads()").meets);
  CHECK_FALSE(read("A=3").meets);
  CHECK(read_source(kKernel + "__syncthreads(); x[B] = 1; }\n", "f", {"-DB=3"}).has_loops());
  CHECK_FALSE(read_source(kKernel + "__syncthreads(); x[B] = 1; }\n", "f", {"-DB=threadIdx.x"})
                  .has_loops());
}

TEST_CASE("headers of CUDA are replaced, others are kept, and those of templates are refused") {
  const std::string after = "\n#include <cmath>\nint n;\n";
  const UserSource source = read_source("#include <cuda_fp16.h>" + after, "f");
  CHECK(source.own == after);
  CHECK(source.includes);
  CHECK(source.before.find("__half") != std::string::npos);
  CHECK_FALSE(read_source("# include \"cuda_runtime.h\"\n", "f").includes);
  CHECK_THROWS_WITH_AS(
      read_source("#include <thrust/sort.h>\n", "f"),
      "kernel 'f' includes <thrust/sort.h>, which cannot run on the CPU: run it on a GPU", Error);
}

TEST_CASE("CUDA's word for functions that are not inlined is replaced where it stands alone") {
  CHECK(read_source("__device__ __noinline__ int g();", "f").own ==
        "__device__ __attribute__((noinline)) int g();");
  for (const std::string same :
       {"__attribute__((__noinline__)) int g();", "int my__noinline__;", "// __noinline__"}) {
    CHECK(read_source(same, "f").own == same);
  }
}

TEST_CASE("an alignment stands before the word for shared memory") {
  CHECK(read_source("void f() { __shared__ alignas(16) float x[4]; }", "f").own ==
        "void f() { alignas(16) __shared__  float x[4]; }");
  for (const std::string same : {"alignas(16) __shared__ float x[4];", "__shared__ float x[4];",
                                 "// __shared__ alignas(16) float x[4];"}) {
    CHECK(read_source(same, "f").own == same);
  }
}

TEST_CASE("each way to run threads compiles, with every header") {
  ThreadPool threads;
  Counters counters;
  const auto compiler = make_host_compiler(threads, counters, "");
  const std::string headers =
      "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <math_constants.h>\n"
      "#include <cooperative_groups.h>\n#include <curand_kernel.h>\n";
  CHECK_NOTHROW(compiler->compile(kKernel + "x[0] = 1; }\n", "f", {}));
  CHECK_NOTHROW(compiler->compile(kKernel + "__syncthreads(); x[0] = 1; }\n", "f", {}));
  CHECK_NOTHROW(compiler->compile(headers + kKernel + "__syncthreads(); x[0] = 1; }\n", "f", {}));
  CHECK(counters.kernels_compiled == 3);
}

}  // namespace gpy::rt
