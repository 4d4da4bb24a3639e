#include "runtime/kernel/texture_references.h"

#include <doctest/doctest.h>

namespace gpy::rt {
namespace {

// The text behind what declares the references.
std::string rewritten(const std::string& source) {
  const std::string text = with_texture_references(source);
  const std::string mark = "#line 1 \"<kernel>\"\n";
  const size_t at = text.find(mark);
  return at == text.npos ? text : text.substr(at + mark.size());
}

}  // namespace

TEST_CASE("variables that are references become constants") {
  CHECK(rewritten("texture<float, 2> t;") ==
        "typedef texture<float, 2> _gpy_reference_0; __constant__ _gpy_reference_0 t;");
  CHECK(
      rewritten("static texture<float4, 1, cudaReadModeElementType> a, b;\nsurface<void, 2> s;") ==
      "typedef texture<float4, 1, cudaReadModeElementType> _gpy_reference_0; __constant__ "
      "_gpy_reference_0 a, b;\n"
      "typedef surface<void, 2> _gpy_reference_1; __constant__ _gpy_reference_1 s;");
  CHECK(rewritten("extern \"C\" {\n#line 1\ntexture<int> t;\n}") ==
        "extern \"C\" {\n#line 1\ntypedef texture<int> _gpy_reference_0; __constant__ "
        "_gpy_reference_0 t;\n}");
}

TEST_CASE("other words stay as they are") {
  for (const char* text :
       {"__global__ void f(texture<float, 2> t) {}", "// texture<float, 2> t;\nint x;",
        "struct texture_of { int x; };", "int texture = 3, y = texture < 4;",
        "template <class T> void f(surface<T, 2> s, T x);", "my_texture<float> t;"}) {
    CHECK(with_texture_references(text) == text);
  }
}

}  // namespace gpy::rt
