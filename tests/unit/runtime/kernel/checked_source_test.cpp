#include "runtime/kernel/checks/checked_source.h"

#include <doctest/doctest.h>

namespace gpy::rt {
namespace {

// The source behind the text that every checked one begins with.
std::string rewritten(const std::string& source, bool all = true) {
  const std::string text = checked_source(source, all).text;
  const std::string mark = "#line 1 \"<kernel>\"\n";
  return text.substr(text.rfind(mark) + mark.size());
}

std::string in_kernel(const std::string& body) {
  const std::string head = "__global__ void f() {", text = rewritten(head + body + "}");
  return text.substr(head.size(), text.size() - head.size() - 1);
}

}  // namespace

TEST_CASE("kernels take checked pointers") {
  CHECK(rewritten("__global__ void f(const float* __restrict__ x, int n, unsigned int *y);") ==
        "__global__ void f(_gpy_checked<const float> x, int n, _gpy_checked<unsigned int> y);");
  CHECK(rewritten("__global__ void f(float x[], float*, complex<float>* z) {}") ==
        "__global__ void f(_gpy_checked<float> x, _gpy_checked<float> , "
        "_gpy_checked<complex<float>> z) {}");
  CHECK(rewritten("__global__ void __launch_bounds__(64) f(T* x);") ==
        "__global__ void __launch_bounds__(64) f(_gpy_checked<T> x);");
  const std::string others = "__global__ void f(void* x, float** y, float& z, void (*g)(int*));";
  CHECK(rewritten(others) == others);
  CHECK(rewritten("__global__ void f(float* x, // first\n float* y);") ==
        "__global__ void f(_gpy_checked<float> x, // first\n _gpy_checked<float> y);");
  CHECK(rewritten("__global__ void f(\nfloat\n* x);") ==
        "__global__ void f(\n_gpy_checked<float> x\n);");
}

TEST_CASE("the numbers of parameters are those of their names") {
  const CheckedSource checked =
      checked_source("__global__ void f(int n, int* x); __global__ void g(int* y, int* z);", true);
  CHECK(checked.parameters.at("f") == std::vector<int>{-1, 0});
  CHECK(checked.parameters.at("g") == std::vector<int>{1, 2});
  CHECK(*checked.names == std::vector<std::string>{"x", "y", "z"});
}

TEST_CASE("arrays that a kernel declares are checked") {
  CHECK(in_kernel("float x[3];") == "_gpy_array<float, (3), 0> x;");
  CHECK(in_kernel("const float x[2] = {1, 2};") == "_gpy_array<const float, (2), 0> x = {1, 2};");
  CHECK(in_kernel("__shared__ float x[N][2], y;") ==
        "__shared__ _gpy_array<_gpy_array<float, (2), 0>, (N), 0> x; _gpy_declare(x, 0); "
        "__shared__ float y; _gpy_declare(y, 1); ");
  CHECK(in_kernel("extern __shared__ float x[];") ==
        "extern __shared__ float _gpy_raw_x[]; _gpy_checked<float> x = "
        "_gpy_dynamic_checked<float>(_gpy_raw_x, 0);");
  for (const char* same :
       {"x[3] = 1;", "return x[3];", "float x[] = {1, 2};", "int n = x[3];",
        "char x[8] = \"text\";", "struct S { float x[3]; };", "static int x[3];"})
    CHECK(in_kernel(same) == same);
}

TEST_CASE("local pointers and those of device functions are checked") {
  CHECK(in_kernel("const float* p = x + 1;") == "_gpy_checked<const float> p = x + 1;");
  CHECK(in_kernel("for (float* p = x; p < y; ++p) {}") ==
        "for (_gpy_checked<float> p = x; p < y; ++p) {}");
  CHECK(in_kernel("const float *p = f(x, *y), *q = x + 1;") ==
        "_gpy_checked<const float> p = f(x, *y), q = x + 1;");
  CHECK(
      in_kernel("float *p, *const q;") ==
      "_gpy_checked<float> p(nullptr, {0, 0, 0, 0, nullptr}),  q(nullptr, {0, 0, 1, 0, nullptr});");
  CHECK(rewritten("__device__ int f(int* x) { return *x; }") ==
        "__device__ int f(_gpy_checked<int> x) { return *x; }");
  const std::string others = "template <class T> __device__ T f(T* x) { a * b; return *x; }";
  CHECK(rewritten(others) == others);
  CHECK(rewritten("__device__ int f(int* x);", false) == "__device__ int f(int* x);");
}

TEST_CASE("the address of an element is no access") {
  CHECK(rewritten("__global__ void f(int* x) { g(&x[1], n & x[2], &x[3].y); }") ==
        "__global__ void f(_gpy_checked<int> x) { g((x+(1)), n & x[2], &x[3].y); }");
  CHECK(in_kernel("int x[2][3]; g(&x[i][j + 1]);") ==
        "_gpy_array<_gpy_array<int, (3), 0>, (2), 0> x; g(_gpy_walk_over(x, x[i]+(j + 1)));");
}

TEST_CASE("casts of pointers as in C") {
  const auto cast = [](const std::string& expression) {
    const std::string head = "__global__ void f(_gpy_checked<int> x) { y = ";
    const std::string text = rewritten("__global__ void f(int* x) { y = " + expression + "; }");
    REQUIRE(text.starts_with(head));
    return text.substr(head.size(), text.size() - head.size() - 3);
  };
  CHECK(cast("((const float4*)x)[i]") == "(_gpy_c_cast<const float4*>(x))[i]");
  CHECK(cast("*(float2 *)(x + 1)") == "*_gpy_c_cast<float2*>((x + 1))");
  CHECK(cast("(short*)&x[i]") == "_gpy_c_cast<short*>((x+(i)))");
  for (const char* same : {"(float*)x[1]", "(float*)n", "(float)x[1]", "f(float*)", "(void*)x",
                           "(float*)(x[1])", "(a * b)"})
    CHECK(cast(same) == same);
}

}  // namespace gpy::rt
