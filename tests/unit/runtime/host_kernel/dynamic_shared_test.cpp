#include "runtime/host_kernel/dynamic_shared.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace gpy::rt {
namespace {

std::string in_function(const std::string& declaration) {
  const std::string before = "__global__ void f(int n) { ", after = " g(); }";
  const std::string text = with_dynamic_shared(before + declaration + after);
  REQUIRE(text.starts_with(before));
  REQUIRE(text.ends_with(after));
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

}  // namespace

TEST_CASE("a declaration of dynamic shared memory in a function becomes a reference") {
  CHECK(in_function("extern __shared__ float x[];") ==
        "_gpy_many<float>& x = *(_gpy_many<float>*)_gpy_dynamic_shared();");
  CHECK(in_function("extern __shared__ __align__(16) unsigned char x[];") ==
        "_gpy_many<unsigned char>& x = *(_gpy_many<unsigned char>*)_gpy_dynamic_shared();");
  CHECK(in_function("extern volatile __shared__ T x[][17];") ==
        "_gpy_many<volatile  T[17]>& x = *(_gpy_many<volatile  T[17]>*)_gpy_dynamic_shared();");
  CHECK(in_function("if (n) { extern __shared__ Pair<int, float> x[]; }") ==
        "if (n) { _gpy_many<Pair<int, float>>& x = *(_gpy_many<Pair<int, "
        "float>>*)_gpy_dynamic_shared(); }");
}

TEST_CASE("outside of all functions it becomes an object") {
  const std::string object = "static _gpy_dynamic<float> x;\nint n;";
  CHECK(with_dynamic_shared("extern __shared__ float x[];\nint n;") == object);
  CHECK(with_dynamic_shared("extern \"C\" { extern __shared__ float x[];\nint n; }") ==
        "extern \"C\" { " + object + " }");
  CHECK(with_dynamic_shared("namespace a { struct B { }; extern __shared__ float x[];\nint n; }") ==
        "namespace a { struct B { }; " + object + " }");
}

TEST_CASE("lines stay where they are, and what is none of these stays as it is") {
  const std::string text = "void f() {\n  extern __shared__\n    float\n  x[];\n  g();\n}\n";
  const std::string made = with_dynamic_shared(text);
  CHECK(std::ranges::count(made, '\n') == std::ranges::count(text, '\n'));
  CHECK(made.ends_with("\n  g();\n}\n"));
  for (const char* same :
       {"__shared__ float x[16];", "// extern __shared__ float x[];", "extern int n;",
        "char* s = \"extern __shared__ float x[];\";", "extern __shared__ float x"}) {
    CHECK(with_dynamic_shared(same) == same);
  }
}

}  // namespace gpy::rt
