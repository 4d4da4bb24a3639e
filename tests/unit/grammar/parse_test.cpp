// Behaviour that CPython 3.11 cannot be asked about: gpy's own refusals, places inside formatted
// strings, and the places of errors.

#include "parsing.h"

namespace gpy::syntax {
namespace {

TEST_CASE("what is left out says so") {
  CHECK_EQ(error_of("async def f(): pass"), "1:1 SyntaxError: gpy has no 'async'");
  CHECK_EQ(error_of("[x async for x in y]"), "1:4 SyntaxError: gpy has no 'async'");
  CHECK_EQ(error_of("def f():\n  return await x"), "2:10 SyntaxError: gpy has no 'await'");
  CHECK_EQ(error_of("match x:\n  case 1: pass"), "1:1 SyntaxError: gpy has no 'match' statement");
  CHECK_EQ(error_of("type X = int"), "1:1 SyntaxError: gpy has no 'type' statement");
  CHECK_EQ(error_of("try: x\nexcept* A: y"), "2:7 SyntaxError: gpy has no 'except*'");
  CHECK_EQ(error_of("x = '\\N{BULLET}'"), "1:6 SyntaxError: gpy has no \\N{...} escapes");
}

TEST_CASE("places inside formatted strings") {
  CHECK_EQ(dump_of("x = f'a{b + c!r:>{w}}' \"d\"\n"),
           "Module\n"
           "  body: Assign @1:1-1:27\n"
           "    targets: Name @1:1-1:2 x Store\n"
           "    value: JoinedStr @1:5-1:27\n"
           "      values: Constant @1:7-1:8 \"a\"\n"
           "      values: FormattedValue @1:8-1:22 !r\n"
           "        value: BinOp @1:9-1:14 +\n"
           "          left: Name @1:9-1:10 b\n"
           "          right: Name @1:13-1:14 c\n"
           "        format_spec: JoinedStr @1:17-1:21\n"
           "          values: Constant @1:17-1:18 \">\"\n"
           "          values: FormattedValue @1:18-1:21\n"
           "            value: Name @1:19-1:20 w\n"
           "      values: Constant @1:24-1:27 \"d\"\n");
  CHECK_EQ(error_of("f'''\n{a +}'''"), "2:5 SyntaxError: f-string: invalid syntax");
}

TEST_CASE("quotes may be used again inside a field") {
  auto tree = [](const std::string& text) { return dump_of(text, {.positions = false}); };
  CHECK_EQ(tree("f'{a['b']}'\n"), tree("f'{a[\"b\"]}'\n"));
  CHECK_EQ(tree("f'{f'{x}'}'\n"), tree("f'{f\"{x}\"}'\n"));
  CHECK_EQ(tree("f'''{\n  a  # comment\n}'''\n"), tree("f'''{a}'''\n"));
}

TEST_CASE("operators know their place") {
  auto result = parse_text("a +  b\nc not  in d\ne %= f\n");
  REQUIRE(result.tree);
  auto text = [&](Span span) { return result.tree->source->text(span); };
  const auto& sum = as<BinOp>(*as<ExprStmt>(*result.tree->module.body[0]).value);
  CHECK_EQ(text(sum.op_span), "+");
  const auto& compare = as<Compare>(*as<ExprStmt>(*result.tree->module.body[1]).value);
  CHECK_EQ(text(compare.comparisons[0].op_span), "not  in");
  CHECK_EQ(text(as<AugAssign>(*result.tree->module.body[2]).op_span), "%=");
}

TEST_CASE("what a function is can be seen on it") {
  auto result = parse_text("def f():\n  def g(): yield\n  return lambda: (yield)\n");
  REQUIRE(result.tree);
  const auto& f = as<FunctionDef>(*result.tree->module.body[0]);
  CHECK_FALSE(f.is_generator);
  CHECK(as<FunctionDef>(*f.body[0]).is_generator);
  CHECK(as<Lambda>(*as<Return>(*f.body[1]).value).is_generator);
}

TEST_CASE("an error points at what it is about") {
  auto spanned = [](const std::string& text) {
    auto source = make_source("test.gpy", text);
    auto result = parse(source);
    return std::string(source->text(result.error->place));
  };
  CHECK_EQ(spanned("x = yy zz\n"), "zz");
  CHECK_EQ(spanned("f(aa bb)\n"), "aa bb");
  CHECK_EQ(spanned("1 + 2 = x\n"), "1 + 2");
  CHECK_EQ(spanned("x = 'abc\n"), "'abc");
  CHECK_EQ(spanned("def f(aa, aa): pass\n"), "aa");
  CHECK_EQ(spanned("f(a=1, bb)\n"), "bb");
  auto result = parse_text("x = (1,\n     2]\n");
  REQUIRE_EQ(result.error->notes.size(), 1);
  CHECK_EQ(result.error->notes[0].place.begin, 4);
  CHECK_EQ(result.error->notes[0].label, "opened here");
}

TEST_CASE("too long a decimal number") {
  CHECK(error_of("x = " + std::string(4301, '9')).find("Exceeds the limit (4300 digits)") !=
        std::string::npos);
  CHECK_EQ(error_of("x = " + std::string(4300, '9')), "");
  CHECK_EQ(error_of("x = 0x" + std::string(10000, 'f')), "");
}

}  // namespace
}  // namespace gpy::syntax
