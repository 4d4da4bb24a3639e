#include "runtime/kernel/unclosed_brace.h"

#include <doctest/doctest.h>

namespace gpy::rt {

TEST_CASE("a brace that is never closed is told with its place") {
  CHECK(unclosed_brace("void f() { }") == "");
  CHECK(unclosed_brace("void f() {\n  if (x) {\n}") == "<kernel>:1:10");
  CHECK(unclosed_brace("#line 7 \"a.gpy\"\nvoid f() {\n  if (x) { // }") == "a.gpy:8:10");
  CHECK(unclosed_brace("extern \"C\" {\nvoid f() { }\nvoid g() {\n}") == "<kernel>:3:10");
}

TEST_CASE("no brace is told where the preprocessor decides which of them count") {
  const char* branches = "void f() {\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\n";
  CHECK(unclosed_brace(branches) == "");
  CHECK(unclosed_brace("#define BEGIN \\\n  if (a) {\nvoid f() {\nBEGIN } }") == "");
  CHECK(unclosed_brace("#if A\nvoid f() { }\n#endif\nvoid g() {\n#if B\n  h();\n#endif\n") ==
        "<kernel>:4:10");
  CHECK(unclosed_brace("#define BODY { return; }\nvoid f() {\n") == "<kernel>:2:10");
}

}  // namespace gpy::rt
