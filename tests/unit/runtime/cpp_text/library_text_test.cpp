// Which declarations of a text a program is given.

#include "runtime/cpp_text/library_text.h"

#include <doctest/doctest.h>

namespace gpy::rt {
namespace {

const LibraryText& library() {
  static const LibraryText out(R"(// comment
namespace lib {
#define FN static inline
#define MAKES(name) FN float name(Big x) { return name(x.f); }
#if defined(DEEP)
typedef long i64;
#else
typedef long long i64;
#endif
struct Big { float f; };
struct Lone { i64 x; };
enum { kOne, kTwo = 2 };
template <class T> struct Words { T x; };
template <> struct Words<Big> { float f; };
FN float half(float x) { return x / 2; }
FN float half(Big x) { return half(x.f); }
MAKES(quarter)
FN float quarter(float x) { return half(half(x)); }
template <class T> FN T* place(Words<T>& words, int (*how)(int)) { return "half }" ? &words.x : 0; }
FN Big operator+(Big x, Big y) { return {x.f + y.f}; }
static i64 count = kTwo, room[3] = {1, 2, 3};
__attribute__((noinline)) static void fail(i64 code) { throw Lone{code}; }
}
)");
  return out;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST_CASE("a program gets what it names, and what that names") {
  const std::string text = library().used_by("float y = quarter(x);");
  CHECK(has(text, "FN float quarter(float x)"));
  CHECK(has(text, "FN float half(float x)"));
  CHECK(has(text, "#define FN static inline"));
  CHECK_FALSE(has(text, "struct Lone"));
  CHECK_FALSE(has(text, "typedef long"));
}

TEST_CASE("namespaces and conditions stay") {
  const std::string text = library().used_by("");
  CHECK(text == "namespace lib {\n#if defined(DEEP)\n#else\n#endif\n}\n");
}

TEST_CASE("of several functions of a name those of types that nobody reaches are left out") {
  CHECK_FALSE(has(library().used_by("half(1.0f)"), "half(Big x)"));
  CHECK(has(library().used_by("half(Big{1.0f})"), "half(Big x)"));
  CHECK_FALSE(has(library().used_by("quarter(x)"), "MAKES"));
  CHECK(has(library().used_by("quarter(x); Big y;"), "MAKES(quarter)"));
  CHECK_FALSE(has(library().used_by("Words<int> x;"), "Words<Big>"));
  CHECK(has(library().used_by("Words<int> x; Big y;"), "Words<Big>"));
}

TEST_CASE("operators come with their types") {
  CHECK(has(library().used_by("Big x;"), "operator+"));
  CHECK_FALSE(has(library().used_by("half(x)"), "operator+"));
}

TEST_CASE("variables, enumerators and functions behind attributes have their names") {
  CHECK(has(library().used_by("room[0]"), "static i64 count = kTwo, room[3]"));
  CHECK(has(library().used_by("room[0]"), "enum { kOne, kTwo = 2 };"));
  CHECK(has(library().used_by("fail(1)"), "struct Lone"));
}

TEST_CASE("names in literals are none") {
  CHECK_FALSE(has(library().used_by("place(x, y)"), "half(float x)"));
  CHECK_FALSE(has(library().used_by("\"half\" // half"), "half(float x)"));
}

}  // namespace
}  // namespace gpy::rt
