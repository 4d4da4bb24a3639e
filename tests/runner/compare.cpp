#include <algorithm>

#include "tests/runner/run_script.h"

namespace gpy::test {

namespace {

std::string place(const Script& script, int line) {
  return script.path + ":" + std::to_string(line) + ": ";
}

std::vector<std::string> printed_lines(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return split_lines(text);
}

std::string describe_difference(const std::vector<std::string>& expected,
                                const std::vector<std::string>& printed) {
  size_t i = 0;
  while (i < expected.size() && i < printed.size() && expected[i] == printed[i]) ++i;
  auto shown = [&](const std::vector<std::string>& lines) {
    return i < lines.size() ? "'" + lines[i] + "'" : std::string("no more output");
  };
  return "expected " + shown(expected) + ", got " + shown(printed);
}

std::string compare_output(const Script& script, const Outcome& outcome) {
  std::string findings;
  for (const auto& [line, expected] : script.output) {
    auto found = outcome.output.find(line);
    auto printed =
        found == outcome.output.end() ? std::vector<std::string>{} : printed_lines(found->second);
    if (printed != expected) {
      findings += place(script, line) + describe_difference(expected, printed) + "\n";
    }
  }
  for (const auto& [line, text] : outcome.output) {
    if (!script.output.contains(line)) {
      findings += place(script, line) + "nothing expected, got '" + text + "'\n";
    }
  }
  return findings;
}

std::string compare_error(const Script& script, const Outcome& outcome) {
  if (!script.error) {
    if (!outcome.error) return "";
    return place(script, outcome.error->line) + "no error expected, got:\n" +
           outcome.error->rendered + "\n";
  }
  const ExpectedError& expected = *script.error;
  if (!outcome.error) return place(script, expected.line) + "expected " + expected.text + "\n";
  std::string findings;
  if (outcome.error->syntax != expected.syntax || outcome.error->described != expected.text) {
    findings += place(script, expected.line) + "expected '" + expected.text + "', got '" +
                outcome.error->described + "'\n";
  }
  if (outcome.error->line != expected.line) {
    findings += place(script, expected.line) + "the error came at line " +
                std::to_string(outcome.error->line) + "\n";
  }
  return findings;
}

}  // namespace

std::string compare(const Script& script, const Outcome& outcome) {
  if (outcome.timed_out) return script.path + ": ran out of time\n";
  return compare_output(script, outcome) + compare_error(script, outcome);
}

}  // namespace gpy::test
