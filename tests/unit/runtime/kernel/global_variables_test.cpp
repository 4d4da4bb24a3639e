#include "runtime/kernel/global_variables.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gpy::rt {
namespace {

std::string found(std::string_view source) {
  std::string out;
  for (const GlobalDeclaration& each : find_globals(source)) {
    out += fmt::format("{}{} {}", out.empty() ? "" : "; ", each.type, each.name);
    for (const std::string& extent : each.extents) out += "[" + extent + "]";
  }
  return out;
}

}  // namespace

TEST_CASE("variables of a device are found by their declarations") {
  CHECK(found("__constant__ float weights[3];") == "float weights[3]");
  CHECK(found("static __device__ const unsigned int a = 1, b[2][ N ] = {{1}, {2}}, c;") ==
        "unsigned int a; unsigned int b[2][N]; unsigned int c");
  CHECK(found("__device__ __managed__ int m;\n__constant__ complex<float> z[4];") ==
        "int m; complex<float> z[4]");
  CHECK(found("extern \"C\" {\n__constant__ double x;\n__global__ void f(int* p) { *p = 1; }\n"
              "__device__ double y{2};\n}") == "double x; double y");
  CHECK(found("__device__ __align__(16) float v[4];") == "float v[4]");
  CHECK(found("__constant__ struct Box box;") == "Box box");
}

TEST_CASE("what is no such variable") {
  CHECK(found("__device__ float twice(float x) { return x + x; }") == "");
  CHECK(found("__device__ float twice(float x);\n__device__ float f(int n = 3, float a[2]) {}\n"
              "__constant__ int after;") == "int after");
  CHECK(found("int host[3];\n// __device__ int gone;\n/* __device__ int gone; */") == "");
  CHECK(found("namespace inner { __device__ int x; }\nstruct S { __device__ int f(); };") == "");
  CHECK(found("template <class T> __device__ T value;\nextern __device__ int elsewhere;") == "");
  CHECK(found("__global__ void f(float* x) { __shared__ float s[4]; __device__ int n; }") == "");
  CHECK(found("#define X __device__ int gone;\n__device__ int there;") == "int there");
  CHECK(found("") == "");
  CHECK(find_global("__device__ int x, y;", "y")->type == "int");
  CHECK_FALSE(find_global("__device__ int x, y;", "z"));
}

}  // namespace gpy::rt
