#include "tests/runner/golden.h"

#include <filesystem>
#include <fstream>

namespace gpy::test {

namespace {

// Only what goes to the error stream: warnings, then the uncaught error.
std::string error_stream(const Outcome& outcome) {
  std::string text = outcome.warnings;
  if (outcome.error) text += outcome.error->rendered;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace

std::string check_golden(ScriptRunner& runner, const Script& script, bool accept) {
  const std::string& path = script.path;
  std::string golden = std::filesystem::path(path).replace_extension(".txt").string();
  Outcome outcome = runner.run(script);
  if (outcome.timed_out) return path + ": ran out of time\n";
  std::string text = error_stream(outcome);
  if (accept) {
    std::ofstream(golden, std::ios::binary) << text;
    return "";
  }
  if (!std::filesystem::exists(golden)) return path + ": has no " + golden + "\n";
  std::string expected = read_file(golden);
  if (expected == text) return "";
  return path + ": expected\n" + expected + "got\n" + text;
}

}  // namespace gpy::test
