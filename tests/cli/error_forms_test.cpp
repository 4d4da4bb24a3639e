// The forms of uncaught errors: plain, coloured, as JSON.

#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool is_coloured(const Result& result) { return holds(result.err, "\033["); }

const std::string kScript = "y = 0\nx = 1 / y\n";

}  // namespace

TEST_CASE("colour is for terminals, unless it is asked for or refused") {
  CHECK(!is_coloured(run_gpy({"-c", kScript})));
  CHECK(is_coloured(run_gpy({"--color", "always", "-c", kScript})));
  CHECK(is_coloured(run_gpy({"--color=always", "-c", kScript})));
  CHECK(!is_coloured(
      run_gpy({"--color=never", "-c", kScript}, {.environment = {{"FORCE_COLOR", "1"}}})));
  CHECK(is_coloured(run_gpy({"-c", kScript}, {.environment = {{"FORCE_COLOR", "1"}}})));
  CHECK(!is_coloured(
      run_gpy({"-c", kScript}, {.environment = {{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}})));
  CHECK(run_gpy({"--color", "pink", "-c", kScript}).code == 2);
}

TEST_CASE("frames inside the library are shown when asked for") {
  const std::string script = "import numpy as np\nx = np.zeros((2, 2, 2))\nnp.cov(x)\n";
  const Result usual = run_gpy({"-c", script});
  CHECK(holds(usual.err, "line 3, in <module>"));
  CHECK(holds(usual.err, "ValueError: m has more than 2 dimensions"));
  CHECK(!holds(usual.err, "<gpy>"));
  const Result whole = run_gpy({"--full-traceback", "-c", script});
  CHECK(holds(whole.err, "line 3, in <module>"));
  CHECK(holds(whole.err, "\"<gpy>/numpy/statistics.gpy\", line "));
  CHECK(
      holds(whole.err, ", in _variables\n    raise ValueError(\"m has more than 2 dimensions\")"));
}

TEST_CASE("an error as one line of JSON") {
  const Result result = run_gpy({"--errors", "json", "-c", kScript});
  CHECK(result.code == 1);
  CHECK(
      result.err ==
      "{\"errors\":[{\"kind\":\"ZeroDivisionError\",\"code\":\"\",\"message\":\"division by zero\","
      "\"suggestion\":\"\",\"detail\":\"\",\"hint\":\"\",\"labels\":["
      "{\"range\":{\"line\":2,\"column\":7,\"end_line\":2,\"end_column\":8},\"text\":\"\"},"
      "{\"range\":{\"line\":2,\"column\":9,\"end_line\":2,\"end_column\":10},\"text\":"
      "\"y: int 0\"}],\"notes\":[],\"frames\":[{\"file\":\"<string>\",\"function\":\"<module>\","
      "\"range\":{\"line\":2,\"column\":5,\"end_line\":2,\"end_column\":10},"
      "\"caret\":{\"line\":2,\"column\":7,\"end_line\":2,\"end_column\":8},"
      "\"source\":\"x = 1 / y\",\"repeats\":0,\"circle\":1}],\"follows_as\":null}]}\n");
  CHECK(run_gpy({"--errors", "xml", "-c", kScript}).code == 2);
}

TEST_CASE("JSON of errors that follow one another, and of a source that does not parse") {
  const Result chain = run_gpy(
      {"--errors=json", "-c",
       "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('\"\\n') from e\n"});
  CHECK(holds(chain.err, "\"follows_as\":null},{\"kind\":\"ValueError\""));
  CHECK(holds(chain.err, "\"message\":\"\\\"\\n\""));
  CHECK(holds(chain.err, "\"follows_as\":\"cause\""));
  const Result syntax = run_gpy({"--errors=json", "-c", "x = (\n"});
  CHECK(syntax.code == 2);
  CHECK(holds(syntax.err, "\"kind\":\"SyntaxError\""));
  CHECK(holds(syntax.err, "\"line\":1,\"column\":5"));
}

// The C02 of a line that ends in " [C02]"; empty for any other.
static std::string code_at_end(const std::string& line) {
  constexpr size_t kLength = 6;
  if (line.size() < kLength || line.back() != ']') return "";
  const std::string end = line.substr(line.size() - kLength);
  bool is_code = end[0] == ' ' && end[1] == '[' &&
                 std::isupper(static_cast<unsigned char>(end[2])) &&
                 std::isdigit(static_cast<unsigned char>(end[3])) &&
                 std::isdigit(static_cast<unsigned char>(end[4]));
  return is_code ? end.substr(2, 3) : "";
}

// The codes that golden diagnostics end in.
static std::set<std::string> codes_in_use() {
  std::set<std::string> codes;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(source_root() + "/tests/diagnostics")) {
    if (file.path().extension() != ".txt") continue;
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      if (std::string code = code_at_end(line); !code.empty()) codes.insert(code);
    }
  }
  return codes;
}

// The codes that `gpy explain` lists, a line each.
static std::set<std::string> codes_explained() {
  std::set<std::string> codes;
  std::istringstream lines(run_gpy({"explain"}).out);
  for (std::string line; std::getline(lines, line);) {
    const size_t end = line.find("  ");
    if (end != line.npos && end > 0) codes.insert(line.substr(0, end));
  }
  return codes;
}

TEST_CASE("every code that is explained is in a golden diagnostic") {
  CHECK(codes_explained() == codes_in_use());
}

TEST_CASE("every code is explained") {
  const auto codes = codes_in_use();
  CHECK(codes.size() > 12);
  const std::string all = run_gpy({"explain"}).out;
  for (const std::string& code : codes) {
    CAPTURE(code);
    CHECK(holds(all, code + "  "));
    const Result one = run_gpy({"explain", "gpy-" + code});
    CHECK(one.code == 0);
    CHECK(one.out.starts_with(code + ": "));
  }
  CHECK(run_gpy({"explain", "X99"}).code == 2);
}

}  // namespace gpy::test
