#include "runtime/host_kernel/thread_loops.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "runtime/host_kernel/cpp_tokens.h"

namespace gpy::rt {
namespace {

bool has_loops(const std::string& text, const std::string& function = "k") {
  return with_thread_loops(text).functions.contains(function);
}

// A kernel with these statements, some of which wait.
bool runs_in_loops(const std::string& body) {
  return has_loops("__global__ void k(float* x, int n) {\n" + body + "\n}\n");
}

std::string looped(const std::string& body) {
  return with_thread_loops("__global__ void k(float* x, int n) {\n" + body + "\n}\n").source;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("barriers in control flow that is the same for all threads become ends of loops") {
  CHECK(runs_in_loops("x[threadIdx.x] = 0; __syncthreads(); x[threadIdx.x + 1] += 1;"));
  CHECK(runs_in_loops("for (int i = 0; i < n; i += 16) { x[threadIdx.x] = i; __syncthreads(); }"));
  CHECK(runs_in_loops("for (int s = blockDim.x / 2; s > 0; s >>= 1) { __syncthreads(); }"));
  CHECK(runs_in_loops("if (n > 3) { x[threadIdx.x] = 1; __syncthreads(); } else x[0] = 2;"));
  CHECK(runs_in_loops("int i = 0; do { __syncthreads(); ++i; } while (i < n);"));
  CHECK(
      runs_in_loops("__shared__ int more; while (true) { __syncthreads(); if (more > n) break; }"));
  CHECK(runs_in_loops("__syncthreads(); if (threadIdx.x >= n) return; x[threadIdx.x] = 1;"));
  CHECK(runs_in_loops("if (threadIdx.x >= n) return; __syncthreads(); x[threadIdx.x] = 1;"));
}

TEST_CASE("a function may do nothing but wait") {
  CHECK(has_loops("__device__ void k() { __syncthreads(); }"));
}

TEST_CASE("where threads may take other ways to a barrier, fibers stay") {
  CHECK(!runs_in_loops("if (threadIdx.x < n) __syncthreads();"));
  CHECK(!runs_in_loops("for (int i = threadIdx.x; i < n; i += 32) __syncthreads();"));
  CHECK(!runs_in_loops("int i = threadIdx.x; while (i < n) { ++i; __syncthreads(); }"));
  CHECK(!runs_in_loops("int m = n; if (x[threadIdx.x] > 0) m = 1; if (m) __syncthreads();"));
  CHECK(!runs_in_loops(
      "int m = 0; for (int i = 0; i < threadIdx.x; ++i) ++m; if (m) __syncthreads();"));
  CHECK(!runs_in_loops("int m = 0; set(m); if (m) __syncthreads();"));
  CHECK(!runs_in_loops("int m = 0; set(&m); if (m) __syncthreads();"));
  CHECK(!runs_in_loops("if (atomicAdd(x, 1) > n) __syncthreads();"));
  CHECK(!runs_in_loops(
      "for (int i = 0; i < n; ++i) { __syncthreads(); if (x[threadIdx.x]) break; }"));
  CHECK(!runs_in_loops("switch (n) { case 1: __syncthreads(); }"));
  CHECK(
      !has_loops("#define NEXT(p) atomicAdd(p, 1)\n__global__ void k(int* x) { int m = NEXT(x); if "
                 "(m) __syncthreads(); }"));
  CHECK(
      !has_loops("#define NEXT bump\n"
                 "__global__ void k(int* x) { if (NEXT(x)) __syncthreads(); }"));
  CHECK(
      has_loops("#define A B\n#define B A\n"
                "__global__ void k(int* x) { x[A] = 1; __syncthreads(); }"));
  CHECK(
      has_loops("#define N 3\n#define LEAST(a) min(a, N)\n"
                "__global__ void k(int n) { if (LEAST(n) > 2) __syncthreads(); }"));
}

TEST_CASE("what looks at other threads, or cannot be read, stays with fibers") {
  CHECK(!runs_in_loops("__syncthreads(); x[0] = __shfl_sync(~0u, x[0], 1);"));
  CHECK(!runs_in_loops("int m = __syncthreads_count(n); __syncthreads();"));
  CHECK(!runs_in_loops("__syncthreads(); goto end; end: x[0] = 1;"));
  CHECK(!runs_in_loops("__syncthreads();\n#if 1\nx[0] = 1;\n#endif"));
  CHECK(!runs_in_loops("auto m = n; __syncthreads(); x[0] = m;"));
  CHECK(!has_loops("#define WAIT __syncthreads()\n__global__ void k() { WAIT; }"));
  CHECK(
      !has_loops("#define STEP(i) i += threadIdx.x\n"
                 "__global__ void k(int* x) { int i = 0; STEP(i); __syncthreads(); x[i] = 1; }"));
  CHECK(
      !has_loops("__device__ int me() { int i = threadIdx.x; return i; }\n"
                 "__global__ void k(int* x) { __syncthreads(); x[me()] = 1; }"));
  CHECK(
      !has_loops("struct S { __device__ int operator()() { return threadIdx.x; } };\n"
                 "__global__ void k(int* x) { S s; __syncthreads(); x[s()] = 1; }"));
  CHECK(
      !has_loops("auto me = [] { return threadIdx.x; };\n"
                 "__global__ void k(int* x) { __syncthreads(); x[me()] = 1; }"));
}

TEST_CASE("functions of other forms") {
  CHECK(has_loops(
      "template <class T, int N> __global__ void k(T* x) { __syncthreads(); x[N] = 1; }"));
  CHECK(has_loops(
      "extern \"C\" { __global__ void __launch_bounds__(256) k(int n) { __syncthreads(); } }"));
  const std::string called = "__device__ void f(int n) { __syncthreads(); }\n";
  CHECK(has_loops(called + "__global__ void k(int n) { f(n + 1); }"));
  CHECK(!has_loops(called + "__global__ void k(int n) { f(threadIdx.x); }"));
  CHECK(has_loops(called + "__global__ void k(int* x, int n) { x[threadIdx.x] = 1; f(n); }"));
  CHECK(!has_loops(called + "__global__ void k(int n) { if (threadIdx.x) return; f(n); }"));
  CHECK(!has_loops(called + "__global__ void k(int n) { ::f(n); }"));
  CHECK(!has_loops(called + "__global__ void k(int n) { n > 3 && (f(n), true); }"));
  const std::string keeping =
      "__device__ void g(int* x) { int a = x[threadIdx.x]; __syncthreads(); x[0] = a; }\n";
  CHECK(has_loops(keeping + "__global__ void k(int* x) { g(x); x[threadIdx.x] = 1; }"));
  CHECK(!has_loops(keeping + "__global__ void k(int* x) { x[threadIdx.x] = 1; g(x); }"));
  CHECK(!has_loops(keeping + "__global__ void k(int* x) { g(x); g(x); }"));
  CHECK(
      !has_loops("__global__ void k(int n) { __syncthreads(); }\n"
                 "__global__ void k(float n) { __syncthreads(); }"));
  CHECK(
      !has_loops("template <int N> __global__ void k() { __syncthreads(); }\n"
                 "template <> __global__ void k<3>() { if (threadIdx.x) __syncthreads(); }"));
}

TEST_CASE("a variable is kept for each thread only where a value lives across a barrier") {
  const std::string position =
      looped("int i = threadIdx.x; x[i] = 0; __syncthreads(); x[i + 1] = 1;");
  CHECK(holds(position, "const _gpy_t2 i = "));
  CHECK(!holds(position, "_gpy_each2"));
  const std::string sum = looped("float s = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s;");
  CHECK(holds(sum, "_gpy_t2 _gpy_each2[_gpy_count]"));
  const std::string local =
      looped("float s; s = x[threadIdx.x]; x[threadIdx.x] = s; __syncthreads();");
  CHECK(!holds(local, "_gpy_each2"));
  const std::string pointed = looped("float s = 0, *p = &s; __syncthreads(); x[threadIdx.x] = *p;");
  CHECK(holds(pointed, "_gpy_each2"));
  const std::string uniform = looped("int m = n * 2; __syncthreads(); x[threadIdx.x] = m;");
  CHECK(holds(uniform, "_gpy_u2 = _gpy_u1 * 2"));
}

TEST_CASE("what is computed anew for each thread reads no memory") {
  const auto keeps = [](const std::string& before, const std::string& value) {
    const std::string text = before + "__global__ void k(int* x, int n) { int v = " + value +
                             "; __syncthreads(); x[threadIdx.x] = v; }";
    const ThreadLoops found = with_thread_loops(text);
    return found.functions.contains("k") && holds(found.source, "_gpy_each2");
  };
  CHECK(!keeps("", "threadIdx.x * n + blockIdx.x"));
  CHECK(!keeps("__device__ int f(int i) { return i % 3; }\n", "f(threadIdx.x)"));
  CHECK(!keeps("__device__ int f(int* p) { return p - (int*)0; }\n", "f(x + threadIdx.x)"));
  CHECK(keeps("__device__ int f(int* p, int i) { return p[i]; }\n", "f(x, threadIdx.x)"));
  CHECK(keeps("__device__ int f(int* p) { return *p; }\n", "f(x + threadIdx.x)"));
  CHECK(keeps("__device__ int f(int* p) { *p = *p + 1; return 3; }\n", "f(x + threadIdx.x)"));
  CHECK(keeps("__device__ int f(int p[]) { p[0] = 1; return 3; }\n", "f(x + threadIdx.x)"));
  CHECK(keeps("", "(int)*(x + threadIdx.x)"));
  CHECK(keeps("__device__ int g;\n#define G (g + 1)\n", "threadIdx.x + G"));
  CHECK(keeps("__device__ int g;\n", "threadIdx.x + ::g"));
  CHECK(keeps("struct S { int* p; __device__ int at(int i) { return p[i]; } };\n",
              "S{x}.at(threadIdx.x)"));
}

TEST_CASE("a pointer to a variable keeps it") {
  const auto keeps = [](const std::string& before, const std::string& body) {
    const std::string text =
        before + "__global__ void k(int* x) { " + body + " __syncthreads(); x[threadIdx.x] = *p; }";
    const ThreadLoops found = with_thread_loops(text);
    return found.functions.contains("k") && holds(found.source, "_gpy_each1");
  };
  CHECK(keeps("", "int v[2]; v[0] = threadIdx.x; int* p = &(v[0]);"));
  CHECK(keeps("", "int v[2][2]; v[1][0] = threadIdx.x; int* p = v[1];"));
  CHECK(keeps("struct A { int all[2]; };\n", "A v; v.all[0] = threadIdx.x; int* p = v.all;"));
  CHECK(keeps("struct A { int i; __device__ int* at() { return &i; } };\n",
              "A v; v.i = threadIdx.x; int* p = v.at();"));
  CHECK(keeps("__device__ int* at(int& v) { return &v; }\n",
              "int v = x[threadIdx.x]; int* p = at(v);"));
  CHECK(!keeps("", "int v[2]; v[0] = threadIdx.x; int* p = x + v[0];"));
  CHECK(!keeps("__device__ void to(int& v) { v = 3; }\n",
               "int v = x[threadIdx.x]; to(v); int* p = x + v;"));
}

TEST_CASE("what a bracket and a sign mean") {
  CHECK(holds(looped("int m = n - 1; int q = (threadIdx.x + n) & m; __syncthreads(); x[q] = m;"),
              "_gpy_u2 = "));
  CHECK(holds(looped("int v = n * *x + threadIdx.x; __syncthreads(); x[v] = 1;"), "_gpy_each2"));
}

TEST_CASE("names that mean several things") {
  CHECK(
      !has_loops("const int K = 4;\n__global__ void k(int* x) { int b = threadIdx.x * K; "
                 "{ int K = x[b]; __syncthreads(); x[b] = b + K; } }"));
  CHECK(
      runs_in_loops("for (int i = 0; i < 3; ++i) x[i] = 1; int i = x[threadIdx.x]; "
                    "__syncthreads(); x[i] = 1;"));
  CHECK(!runs_in_loops("int v = 1; { alignas(8) int v = 2; __syncthreads(); x[v] = 1; }"));
  CHECK(
      !runs_in_loops("int v = 1; { int (&v)[2] = *(int(*)[2])x; __syncthreads(); x[v[0]] = 1; }"));
  CHECK(!runs_in_loops("int v = n; __syncthreads(); { decltype(v) w = v; x[0] = w; }"));
  CHECK(runs_in_loops("U::put(x, 3); __syncthreads(); x[0] = 1;"));
}

TEST_CASE("objects that act, and loops that wait, stay with fibers") {
  const std::string kernel =
      "__global__ void k(int* x) { S s{x}; __syncthreads(); x[threadIdx.x] = s.v; }";
  CHECK(has_loops("struct S { int v; __device__ S(int* p) : v(*p) { v += 1; } };\n" + kernel));
  CHECK(!has_loops("struct S { int v; __device__ ~S() { v = 0; } };\n" + kernel));
  CHECK(!has_loops("struct S { int v; __device__ S(int* p) : v(next(p)) {} };\n" + kernel));
  CHECK(!runs_in_loops("__syncthreads(); while (atomicCAS(x, 0, 1) != 0); x[0] = 1;"));
  CHECK(
      runs_in_loops("__syncthreads(); int old, a; do { a = old; old = atomicCAS(x, a, a + 1); } "
                    "while (old != a);"));
}

TEST_CASE("nesting without an end is left alone") {
  const std::string deep(100000, '{'), back(100000, '}');
  CHECK(!runs_in_loops(deep + "__syncthreads();" + back));
}

TEST_CASE("what changes only its own variables is pure") {
  const auto is_pure = [](const std::string& function) {
    return has_loops("struct S { int all[3]; int* at; };\n__device__ int f(int n) { " + function +
                     " }\n__global__ void k(int n) { if (f(n) > 2) __syncthreads(); }");
  };
  CHECK(is_pure("S s; for (int i = 0; i < 3; ++i) s.all[i] = i * n; return s.all[1];"));
  CHECK(is_pure("union { int i; float f; } both; both.i = n; return (int)both.f;"));
  CHECK(is_pure("int all[3][2]; all[n % 3][1] = 2; return all[0][1];"));
  CHECK(is_pure("return fmodf(n, 3);"));
  CHECK(!is_pure("S s = made(n); s.at[0] = 3; return s.at[1];"));
  CHECK(!is_pure("S s; s.at = &n; s.at[0] = 3; return n;"));
  CHECK(!is_pure("return atomicAdd(&n, 3);"));
}

TEST_CASE("a function that returns a position is written out only where that is the same") {
  const auto loops_with = [](const std::string& function, const std::string& use) {
    return has_loops(function + "\n__global__ void k(int* x, int n) { __syncthreads(); x[" + use +
                     "] = n; }");
  };
  CHECK(loops_with("__device__ int me() { return threadIdx.x + 2; }", "me()"));
  CHECK(!loops_with("__device__ int n; __device__ int me() { return threadIdx.x + n; }", "me()"));
  CHECK(!loops_with("const int n = 3; __device__ int me() { return threadIdx.x + n; }", "me()"));
  CHECK(!loops_with("__device__ int t[9]; __device__ int me() { return t[threadIdx.x]; }", "me()"));
  CHECK(!loops_with("__device__ int me() { return threadIdx.x + 2; }", "apply(me)"));
  CHECK(!loops_with("struct S { __device__ int me() { return threadIdx.x; } };", "S().me()"));
  CHECK(
      !loops_with("__device__ int me() { int i = threadIdx.x; return i; }\n"
                  "__device__ S operator+(S a, S b) { return S(me()); }",
                  "S() + S()"));
}

TEST_CASE("a value that is given only here and there is not computed anew") {
  CHECK(holds(looped("int i = {}; if (n > 3) { i = threadIdx.x; __syncthreads(); } x[i] = 1;"),
              "_gpy_t2 _gpy_each2"));
  CHECK(holds(looped("int m = {}; int i = threadIdx.x + m; __syncthreads(); m = 4; x[i] = m;"),
              "_gpy_t3 _gpy_each3"));
  CHECK(!holds(looped("int m = 4; int i = threadIdx.x + m; __syncthreads(); x[i] = m;"),
               "_gpy_each"));
}

TEST_CASE("declarations of other forms") {
  CHECK(holds(looped("dim3 d(2, 3); __syncthreads(); x[d.x] = 1;"), "_gpy_u2 = _gpy_t2(2, 3)"));
  CHECK(holds(looped("int m = (n) + 2; __syncthreads(); x[m] = 1;"), "_gpy_u2 = (_gpy_u1) + 2"));
  CHECK(holds(looped("for (;;) { S s; s.v += 1; __syncthreads(); x[s.v] = 1; }"), "_gpy_begin(s)"));
  CHECK(!holds(looped("struct P p; p.v = threadIdx.x; __syncthreads(); x[p.v] = 1;"),
               "\nstruct P p;\n_GPY"));
  CHECK(!runs_in_loops("constexpr int N = 8; int a[N]; __syncthreads(); x[0] = a[1];"));
  CHECK(!runs_in_loops("const int m = 8; __shared__ int a[m]; __syncthreads(); x[0] = a[1];"));
}

TEST_CASE("threads that return early are kept in mind, and no others") {
  const std::string_view kept = "_gpy_has_returned";
  CHECK(holds(looped("if (threadIdx.x >= n) return; __syncthreads(); x[threadIdx.x] = 1;"), kept));
  CHECK(!holds(looped("__syncthreads(); if (threadIdx.x >= n) return; x[threadIdx.x] = 1;"), kept));
}

TEST_CASE("conditions that are known leave lines out") {
  const std::string text =
      "#define A\n#if defined(A) && !defined(__CUDACC_RTC__)\none\n#else\ntwo\n"
      "#endif\n#ifdef OTHER\nthree\n#else\nfour\n#endif\n";
  const CppTokens tokens(text);
  REQUIRE(tokens.count() == 3);
  CHECK(tokens.at(0) == "one");
  CHECK(tokens.at(1) == "three");
  CHECK(tokens.at(2) == "four");
  const std::string later =
      "#define A\n#undef A\n#if SOME\n#define B\n#endif\n#ifdef A\none\n#endif\n"
      "#ifdef B\ntwo\n#else\nthree\n#endif\n";
  CHECK(CppTokens(later).count() == 3);  // it is not known which
}

}  // namespace gpy::rt
