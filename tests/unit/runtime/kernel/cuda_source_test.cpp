#include "runtime/kernel/cuda_source.h"

#include <doctest/doctest.h>

namespace gpy::rt {

static std::string names(std::string_view source) {
  std::string out;
  for (const KernelDeclaration& kernel : find_kernels(source)) {
    out += kernel.name + "(" + kernel.parameters + ")" + (kernel.is_template ? "<>" : "") + " ";
  }
  return out;
}

TEST_CASE("kernels are found behind attributes and outside comments and literals") {
  CHECK(names("__global__ void f(int n) {}") == "f(int n) ");
  CHECK(names("__global__ void __launch_bounds__(256, 2) f(float* x) {}") == "f(float* x) ");
  CHECK(names("__launch_bounds__(64) __global__\nvoid f () {}") == "f() ");
  CHECK(names("// __global__ void f()\n/* __global__ void g() */ __global__ void h();") == "h() ");
  CHECK(names("const char* s = \"__global__ void f(\"; char c = '\"'; __global__ void g();") ==
        "g() ");
  CHECK(names("int n = 1'000; __global__ void f(); int m = 1'0;") == "f() ");
  CHECK(names("__global__ void f(int); __global__ void f(int) {}") == "f(int) ");
  CHECK(names("struct s {}; template <int N> __global__ void f(); __global__ void g();") ==
        "f()<> g() ");
  CHECK(names("#define KERNEL __global__\nint f;") == "");
  CHECK(names("__global__ void f(int (*g)(int), int n") == "");
}

TEST_CASE("literals and comments of every form are blanks") {
  const auto blank = [](std::string_view text) {
    return without_comments(text).find_first_not_of(" \n") == std::string::npos;
  };
  CHECK(blank("// one \\\n and its second line"));
  CHECK(blank("/* one \n two */ // three"));
  CHECK(without_comments("L'\"' u'{' case'}'") == "L    u    case   ");
  CHECK(without_comments("1'000'000 0x1'F") == "1'000'000 0x1'F");
  CHECK(without_comments("R\"(a\"b)\"; u8R\"x(\n)\" )x\";") == "R       ; u8R   \n      ;");
  CHECK(without_comments("R\"(never closed") == "R              ");
}

TEST_CASE("lines that a CUDA compiler alone reads are left out for the host") {
  CHECK(host_lines("a\n#ifdef __CUDACC_RTC__\nb\n#else\nc\n#endif\nd") == "a\nc\nd\n");
  CHECK(host_lines("#if !defined(__CUDA_ARCH__)\na\n#else\nb\n#endif") == "a\n");
  CHECK(host_lines("#ifndef __CUDACC__\na\n#elif 1\nb\n#endif") == "a\n");
  CHECK(host_lines("#if 0\n#ifdef X\na\n#endif\nb\n#elif 1\nc\n#else\nd\n#endif") == "c\n");
  CHECK(host_lines("#ifdef X\na\n#else\nb\n#endif\n") == "a\nb\n");
  CHECK(host_lines("#pragma unroll\n#include <x>\n") == "#pragma unroll\n#include <x>\n");
}

}  // namespace gpy::rt
