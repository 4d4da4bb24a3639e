// The runner must see differences, or no script test could fail.

#include <doctest/doctest.h>

#include "tests/runner/run_script.h"

namespace gpy::test {

namespace {

Outcome printed(std::map<int, std::string> output) {
  Outcome outcome;
  outcome.output = std::move(output);
  return outcome;
}

Outcome raised(int line, bool syntax, std::string described) {
  Outcome outcome;
  outcome.error = RaisedError{line, syntax, std::move(described), "..."};
  return outcome;
}

}  // namespace

TEST_CASE("expectations belong to the statement above them") {
  Script script = parse_script("t.gpy",
                               "# also: cupy\n"
                               "for i in a:\n"
                               "    print(i)  # expect: 0\n"
                               "              # expect:  1 \n"
                               "    # expect:\n"
                               "f()  # expect runtime error: ValueError: no\n");
  CHECK(script.also_cupy);
  CHECK(script.output == std::map<int, std::vector<std::string>>{{3, {"0", " 1", ""}}});
  REQUIRE(script.error);
  CHECK(script.error->line == 6);
  CHECK(script.error->text == "ValueError: no");
}

TEST_CASE("equal output passes, any other is found") {
  Script script = parse_script("t.gpy", "print(x)  # expect: 1\n          # expect: 2\n");
  CHECK(compare(script, printed({{1, "1\n2\n"}})) == "");
  CHECK(compare(script, printed({{1, "1 \n2"}})) == "");
  CHECK(compare(script, printed({{1, "1\n3\n"}})) != "");
  CHECK(compare(script, printed({{1, "1\n"}})) != "");
  CHECK(compare(script, printed({{1, "1\n2\n3\n"}})) != "");
  CHECK(compare(script, printed({{2, "1\n2\n"}})) != "");
  CHECK(compare(script, printed({{1, "1\n2\n"}, {2, "x"}})) != "");
  CHECK(compare(script, printed({})) != "");
}

TEST_CASE("an error must be the one expected, at its line") {
  Script runtime = parse_script("t.gpy", "x = 1\nf()  # expect runtime error: ValueError: no\n");
  CHECK(compare(runtime, raised(2, false, "ValueError: no")) == "");
  CHECK(compare(runtime, raised(1, false, "ValueError: no")) != "");
  CHECK(compare(runtime, raised(2, false, "TypeError: no")) != "");
  CHECK(compare(runtime, raised(2, true, "ValueError: no")) != "");
  CHECK(compare(runtime, printed({})) != "");
  Script syntax = parse_script("t.gpy", "x = = 1  # expect error: invalid syntax\n");
  CHECK(compare(syntax, raised(1, true, "invalid syntax")) == "");
  CHECK(compare(syntax, raised(1, false, "invalid syntax")) != "");
  Script none = parse_script("t.gpy", "x = 1\n");
  CHECK(compare(none, raised(1, false, "ValueError: no")) != "");
  CHECK(compare(none, printed({})) == "");
}

TEST_CASE("running out of time fails whatever was printed") {
  Outcome outcome = printed({});
  outcome.timed_out = true;
  CHECK(compare(parse_script("t.gpy", "x = 1\n"), outcome) != "");
}

}  // namespace gpy::test
