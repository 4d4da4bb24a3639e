// Kernel blocks: the soft keyword, signatures, verbatim bodies, the parts of a reduction.

#include "parsing.h"

namespace gpy::syntax {
namespace {

std::string without_positions(const std::string& text) {
  return dump_of(text, {.positions = false});
}

// The text between the braces, or the error.
std::string body_of(const std::string& body) {
  auto result = parse_text("kernel raw k(int n) {" + body + "}\nafter = 1\n");
  if (!result.tree) return result.error->message;
  REQUIRE_EQ(result.tree->module.body.size(), 2);
  const auto& kernel = as<KernelDef>(*result.tree->module.body[0]);
  CHECK_EQ(result.tree->source->text(kernel.text.span), kernel.text.text);
  return std::string(kernel.text.text);
}

TEST_CASE("an elementwise kernel") {
  CHECK_EQ(dump_of("kernel elementwise squared_diff(T x, raw float32 y) -> (T z) {\n"
                   "    z = (x - y) * (x - y);\n}\n"),
           "Module\n"
           "  body: KernelDef @1:1-3:2 elementwise squared_diff\n"
           "    parameter: T x @1:33-1:36\n"
           "    parameter: raw float32 y @1:38-1:51\n"
           "    output: T z @1:57-1:60\n"
           "    text: \"\\x0a    z = (x - y) * (x - y);\\x0a\" @1:63-3:1\n");
}

TEST_CASE("a reduction has parts") {
  CHECK_EQ(dump_of("kernel reduction l2norm(T x) -> (T y) {\n"
                   "    identity: 0\n"
                   "    map:      x > 0 ? x * x : 0  // not reduce: nothing\n"
                   "    reduce:   a +\n"
                   "              b\n"
                   "    post:     y = sqrt(a)\n"
                   "}\n"),
           "Module\n"
           "  body: KernelDef @1:1-7:2 reduction l2norm\n"
           "    parameter: T x @1:25-1:28\n"
           "    output: T y @1:34-1:37\n"
           "    identity: \"0\" @2:15-2:16\n"
           "    map: \"x > 0 ? x * x : 0  // not reduce: nothing\" @3:15-3:56\n"
           "    reduce: \"a +\\x0a              b\" @4:15-5:16\n"
           "    post: \"y = sqrt(a)\" @6:15-6:26\n");
}

TEST_CASE("labels count only at the beginning of a line outside comments and brackets") {
  auto text = without_positions(
      "kernel reduction f(T x) -> (T y) {\n"
      "  /* a comment first,\n     map: not here */\n"
      "  map: g(x,\n    post: 1) + map::of(x)\n"
      "  reduce: a + b /*\n  post: 2 */\n}\n");
  CHECK(text.find("map: \"g(x,\\x0a    post: 1) + map::of(x)\"") != text.npos);
  CHECK(text.find("reduce: \"a + b /*\\x0a  post: 2 */\"") != text.npos);
  CHECK(text.find("identity") == text.npos);
}

TEST_CASE("a raw kernel, with a signature and as a module") {
  CHECK_EQ(without_positions("kernel raw add(const float* x1, float *y, unsigned int n,\n"
                             "  thrust::complex<float> const * __restrict__ c, int a[16]) {\n}\n"),
           "Module\n"
           "  body: KernelDef raw add\n"
           "    parameter: const float* x1\n"
           "    parameter: float* y\n"
           "    parameter: unsigned int n\n"
           "    parameter: const thrust::complex<float>* c\n"
           "    parameter: int* a\n"
           "    text: \"\\x0a\"\n");
  auto result = parse_text("kernel raw sums { extern \"C\" __global__ void f() {} }\n");
  REQUIRE(result.tree);
  CHECK_FALSE(as<KernelDef>(*result.tree->module.body[0]).has_parameters);
}

TEST_CASE("a body in gpy") {
  CHECK_EQ(without_positions("kernel elementwise f(x, T y) -> z:\n    z = x\n"),
           "Module\n"
           "  body: KernelDef elementwise f\n"
           "    parameter: x\n"
           "    parameter: T y\n"
           "    output: z\n"
           "    body: Assign\n"
           "      targets: Name z Store\n"
           "      value: Name x\n");
}

TEST_CASE("the texts of the lists are kept for CuPy's classes") {
  auto result = parse_text("kernel elementwise f(T x,\n raw T y) -> T_ {}\n");
  CHECK_EQ(result.error->message.substr(0, 2), "'T");  // an output needs a type
  result = parse_text("@cache\nkernel elementwise f(T x,\n raw T y) -> (T z) {}  # comment\n");
  REQUIRE(result.tree);
  const auto& kernel = as<KernelDef>(*result.tree->module.body[0]);
  CHECK_EQ(kernel.parameters_text, "T x,\n raw T y");
  CHECK_EQ(kernel.outputs_text, "T z");
  CHECK_EQ(kernel.decorators.size(), 1);
}

TEST_CASE("gpy's comments and lines inside a signature") {
  CHECK(
      without_positions("kernel elementwise f(\n  T x,  # the input\n  T y,\n) -> (\n  T z\n) {}\n")
          .find("parameter: T y\n    output: T z") != std::string::npos);
}

TEST_CASE("the closing brace is found as C++ would") {
  for (const char* body : {
           "",
           "{}{{}}",
           "// }\n",
           "// } \\\n } still the comment\n",
           "/* } */",
           "/* { \n } */",
           "char c = '}';",
           "char c = '\\'', d = '{';",
           "auto s = \"}\\\"}\";",
           "auto s = R\"(})\";",
           "auto s = R\"x()\" } )x\";",
           "auto s = u8R\"({)\"; auto t = LR\"(})\";",
           "int n = 1'000'000; { }",
           "int n = 0xff'ff; char c = '}';",
           "auto c = u8'}'; auto d = L'{';",
           "#if A\n {\n#else\n {\n#endif\n }",
           "#ifdef A\n {\n#elif B\n { {\n#if C\n }\n#endif\n {\n#endif\n }",
           "# if A\n#endif\n",
           "#define X '\n{}",
           "x = a ? b : c;",
           "'unclosed\n{}",
           "\"unclosed\n{}",
           "a = b % c; # d\n",
           "größe = \"}\";",
       }) {
    CAPTURE(std::string(body));
    CHECK_EQ(body_of(body), body);
  }
}

TEST_CASE("a brace that never closes") {
  CHECK_EQ(error_of("kernel raw f(int n) {\n  {\n}\nx = 1\n"),
           "1:21 SyntaxError: '{' was never closed");
  CHECK_EQ(error_of("kernel raw f(int n) {\n  // }\n"), "1:21 SyntaxError: '{' was never closed");
}

TEST_CASE("what follows the brace") {
  CHECK_EQ(error_of("kernel raw f(int n) {} x = 1\n"), "1:24 SyntaxError: invalid syntax");
  CHECK_EQ(error_of("if x:\n  kernel raw f(int n) {}\n  y\n"), "");
}

TEST_CASE("signatures that are refused") {
  auto error = [](const std::string& signature) {
    std::string text = error_of("kernel " + signature + "\n");
    return text.substr(std::min(text.find(": "), text.size() - 2) + 2);
  };
  CHECK_EQ(error("elementwise f(float x) -> (T y) {}"),
           "'float' differs between C and NumPy; write float32 (C's float) or float64 (NumPy's)");
  CHECK_EQ(error("reduction f(T x) -> (int y) {\nmap: x\nreduce: a\n}"),
           "'int' differs between C and NumPy; write int32 (C's int) or int64 (NumPy's)");
  CHECK_EQ(error("elementwise f(double x) -> (T y) {}"),
           "'double' differs between C and NumPy; write float64");
  CHECK(error("elementwise f(foo x) -> (T y) {}").starts_with("'foo' is no type of elementwise"));
  CHECK(error("elementwise f(T i) -> (T y) {}").starts_with("'i' is reserved"));
  CHECK(error("elementwise f(T x) -> (T n) {}").starts_with("'n' is reserved"));
  CHECK(error("reduction f(T _x) -> (T y) {}").starts_with("'_x' is reserved"));
  CHECK_EQ(error("elementwise f(T x, T x) -> (T y) {}"),
           "duplicate argument 'x' in kernel definition");
  CHECK_EQ(error("elementwise f(T x) -> (T x) {}"), "duplicate argument 'x' in kernel definition");
  CHECK_EQ(error("elementwise f(T* x) -> (T y) {}"),
           "elementwise kernels take no pointers; write 'raw T x' to index it");
  CHECK_EQ(error("elementwise f(x) -> (T y) {}"), "'x' needs a type, such as T (any) or float32");
  CHECK_EQ(error("elementwise f(T x) {}"), "elementwise kernels need outputs: '-> (T y)'");
  CHECK_EQ(error("elementwise f {}"), "elementwise kernels need a parameter list");
  CHECK_EQ(error("raw f(int n) -> (int m) {}"),
           "a raw kernel has no outputs; it writes through pointers");
  CHECK_EQ(error("raw f(n) {}"), "'n' needs a type, such as const float* or int");
  CHECK_EQ(error("raw f(int& n) {}"), "a kernel's parameter cannot be a reference");
  CHECK_EQ(error("raw f(int n):\n  pass"), "'n' takes no type: the arguments of each call decide");
  CHECK_EQ(error("raw f:\n  pass"), "a body in gpy needs a parameter list");
  CHECK_EQ(error("reduction f(T x) -> y:\n  pass"),
           "the body of a reduction kernel stands in braces");
  CHECK_EQ(error("raw f(int n)"), "expected '{' or ':' on the line of the kernel's signature");
  CHECK_EQ(error("raw f(int n,, int m) {}"), "invalid syntax");
  CHECK_EQ(error("raw f(int n {}"), "'(' was never closed");
  CHECK_EQ(error("foo f(int n) {}"),
           "expected 'elementwise', 'reduction', 'scan', 'stencil' or 'raw' after 'kernel'");
}

TEST_CASE("a text has parts if it begins with a label") {
  CHECK_EQ(without_positions("kernel elementwise f(T x) -> (T y) {\n"
                             "  // first\n"
                             "  loop_prep: int n = 0;\n"
                             "  operation: y = x ? 1 : 2;\n"
                             "  map: not a label here\n}\n"),
           "Module\n"
           "  body: KernelDef elementwise f\n"
           "    parameter: T x\n"
           "    output: T y\n"
           "    loop_prep: \"int n = 0;\"\n"
           "    operation: \"y = x ? 1 : 2;\\x0a  map: not a label here\"\n");
  auto plain =
      without_positions("kernel stencil f(T x) -> (T y) {\n y = x(1);\n operation: ;\n}\n");
  CHECK(plain.find("    text: \"\\x0a y = x(1);\\x0a operation: ;\\x0a\"\n") != plain.npos);
  CHECK_EQ(error_of("kernel elementwise f(T x) -> (T y) {\npreamble: int n;\n}\n"),
           "1:20 SyntaxError: an elementwise kernel needs 'operation:'");
}

TEST_CASE("scans and stencils") {
  CHECK_EQ(without_positions(
               "kernel scan f(T x) -> (T y) {\n type: float64\n map: x\n scan: a + b\n}\n"),
           "Module\n"
           "  body: KernelDef scan f\n"
           "    parameter: T x\n"
           "    output: T y\n"
           "    type: \"float64\"\n"
           "    map: \"x\"\n"
           "    scan: \"a + b\"\n");
  CHECK_EQ(error_of("kernel scan f(T x) -> (T y) {\nmap: x\nreduce: a + b\n}\n"),
           "3:1 SyntaxError: unknown part 'reduce:' of a scan: write 'preamble:', 'type:', "
           "'identity:', 'map:', 'scan:' or 'post:'");
  CHECK_EQ(error_of("kernel scan f(T x) -> (T y, T z) {\nmap: x\nscan: a\n}\n"),
           "1:29 SyntaxError: a scan has one output");
  CHECK_EQ(error_of("kernel stencil f(T x) -> (raw T y) {}\n"),
           "1:27 SyntaxError: outputs of stencil kernels are not raw");
  CHECK_EQ(error_of("kernel scan f(T x) -> y:\n  pass\n"),
           "1:13 SyntaxError: the body of a scan kernel stands in braces");
  CHECK_EQ(error_of("kernel scan f(T x):\n  pass\n"),
           "1:13 SyntaxError: scan kernels need outputs: '-> (T y)'");
  CHECK_EQ(error_of("scan = 1; stencil = 2; kernel = scan\n"), "");
}

TEST_CASE("reductions that are refused") {
  auto error = [](const std::string& body) {
    return error_of("kernel reduction f(T x) -> (T y) {\n" + body + "\n}\n");
  };
  CHECK_EQ(error("map: x"), "1:18 SyntaxError: a reduction needs 'reduce:'");
  CHECK_EQ(error("reduce: a"), "1:18 SyntaxError: a reduction needs 'map:'");
  CHECK_EQ(error("map: x\nmap: y\nreduce: a"), "3:1 SyntaxError: 'map:' appears twice");
  CHECK_EQ(error("x + 1\nmap: x\nreduce: a"),
           "2:1 SyntaxError: a reduction's text begins with 'preamble:', 'type:', 'identity:', "
           "'map:', 'reduce:' or 'post:'");
  CHECK_EQ(error("map: x\nreduce: a + b\npots: y = a"),
           "4:1 SyntaxError: unknown part 'pots:' of a reduction: write 'post:'");
  CHECK_EQ(error("map: x\nreduce: a + b\n  finish: y = a"),
           "4:3 SyntaxError: unknown part 'finish:' of a reduction: write 'preamble:', 'type:', "
           "'identity:', 'map:', 'reduce:' or 'post:'");
  CHECK_EQ(error("map: x > 0 ? x :\nx\nreduce: a > b ?\na: b"), "");
  CHECK_EQ(
      error(
          "preamble: struct s { int f() { next: return 0; } };\nmap: n::f(x)\nreduce:\nn::g(a, b)"),
      "");
}

}  // namespace
}  // namespace gpy::syntax
