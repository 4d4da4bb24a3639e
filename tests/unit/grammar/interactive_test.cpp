// At a prompt: is the input complete, wrong, or does it want more lines?

#include "parsing.h"

namespace gpy::syntax {
namespace {

Completeness completeness(const std::string& text) {
  return parse_text(text, Mode::interactive).completeness;
}

void check_all(Completeness expected, std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    CAPTURE(std::string(text));
    CHECK(completeness(text) == expected);
  }
}

TEST_CASE("complete") {
  check_all(Completeness::complete, {"",
                                     "\n",
                                     "# comment\n",
                                     "x\n",
                                     "x = 1",
                                     "x = 1\n",
                                     "x; y\n",
                                     "x = (1,\n2)\n",
                                     "x = '''a\nb'''\n",
                                     "x = 1 + \\\n2\n",
                                     "import a\n",
                                     "if x: y\n\n",
                                     "if x:\n  y\n\n",
                                     "if x:\n  y\n  \n",
                                     "if x:\n  y\nelse:\n  z\n\n",
                                     "def f():\n  return 1\n\n",
                                     "@a\ndef f(): pass\n\n",
                                     "class A:\n  x = 1\n\n",
                                     "for i in x:\n  if i:\n    y\n\n",
                                     "if x:\n\n  y\n\n",
                                     "try:\n  x\nfinally:\n  y\n\n",
                                     "kernel raw f(int n) {\n\n}\n",
                                     "kernel raw f {\n  int x;\n\n}\n",
                                     "kernel elementwise f(x) -> y:\n  y = x\n\n"});
}

TEST_CASE("wants more lines") {
  check_all(Completeness::incomplete, {"(",
                                       "f(a,\n",
                                       "f(a,\n\n",
                                       "[1, 2\n",
                                       "{'a': [\n",
                                       "x = (1 +\n",
                                       "x = (\n# comment\n",
                                       "'''",
                                       "x = '''abc\n",
                                       "x = '''abc\n\n",
                                       "f'''{x}\n",
                                       "f'''{x\n",
                                       "f'''{x:\n",
                                       "x = 1 + \\\n",
                                       "\\\n",
                                       "x \\\n",
                                       "if x:\n",
                                       "if x:",
                                       "if x: y\n",
                                       "if x:\n  y\n",
                                       "if x:\n  y\nelse:\n",
                                       "if x:\n  y\n  # comment\n",
                                       "def f():\n",
                                       "def f(\n",
                                       "def f(a,\n\n",
                                       "class A:\n",
                                       "for i in x:\n  if i:\n",
                                       "while x:\n  if (y and\n\n",
                                       "try:\n",
                                       "try:\n  x\n",
                                       "try:\n  x\nexcept A:\n",
                                       "@a\n",
                                       "@a\n@b\n",
                                       "@a(\n",
                                       "with a:\n",
                                       "if x:\n  f(\n\n",
                                       "if x:\n  '''\n\n",
                                       "lambda x=(\n",
                                       "kernel raw f(int n) {\n",
                                       "kernel raw f(int n) {\n\n",
                                       "kernel raw f(\n",
                                       "kernel raw f {\n  // }\n",
                                       "kernel elementwise f(T x) -> (\n",
                                       "kernel reduction f(T x) -> (T y) {\n  map: x\n",
                                       "kernel elementwise f(x) -> y:\n",
                                       "kernel elementwise f(x) -> y:\n  y = x\n"});
}

TEST_CASE("wrong whatever comes") {
  check_all(Completeness::error, {")\n",
                                  "x = \n",
                                  "x =",
                                  "x = 1 +\n",
                                  "(]\n",
                                  "'abc\n",
                                  "f'{x\n",
                                  "f(a b\n",
                                  "if x\n",
                                  "if\n",
                                  "def f()\n",
                                  "def\n",
                                  "x y\n",
                                  "  x\n",
                                  "if x:\ny\n",
                                  "if x:\n\n",
                                  "@a\n\n",
                                  "@a\nx\n",
                                  "try:\n  x\n\n",
                                  "if x:\n    y\n  z\n",
                                  "return\n",
                                  "lambda\n",
                                  "import\n",
                                  "0x\n",
                                  "if x:\n  y =\n",
                                  "for x in\n",
                                  "kernel raw f\n",
                                  "kernel raw f(int n)\n",
                                  "kernel elementwise f(float x) -> (T y) {}\n",
                                  "x = 1 if y\n",
                                  "class A(:\n"});
}

TEST_CASE("in a file nothing is incomplete") {
  for (const char* text : {"(", "'''", "if x:\n", "@a\n", "x = \\\n", "kernel raw f {\n"}) {
    CAPTURE(std::string(text));
    CHECK(parse_text(text).completeness == Completeness::error);
  }
  CHECK(parse_text("if x:\n  y\n").completeness == Completeness::complete);
}

TEST_CASE("a tree comes only with complete input") {
  CHECK(parse_text("x\n", Mode::interactive).tree);
  CHECK_FALSE(parse_text("if x:\n  y\n", Mode::interactive).tree);
  CHECK(parse_text("if x:\n  y\n", Mode::interactive).error);
}

TEST_CASE("one expression") {
  auto result = parse_text(" (a,\n b)\n\n", Mode::expression);
  REQUIRE(result.tree);
  CHECK(result.tree->expression->kind == ExprKind::Tuple);
  CHECK_EQ(error_of("x y", Mode::expression), "1:3 SyntaxError: invalid syntax");
  CHECK_EQ(error_of("", Mode::expression), "1:1 SyntaxError: invalid syntax");
  CHECK_EQ(error_of("a\nb", Mode::expression), "2:1 SyntaxError: invalid syntax");
}

}  // namespace
}  // namespace gpy::syntax
