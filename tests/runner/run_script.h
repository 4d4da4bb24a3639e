#pragma once
// Runs a script in an interpreter of its own and notes what came of it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/runner/script.h"

namespace gpy::test {

struct RaisedError {
  int line = 0;          // in the script; 0: not there
  bool syntax = false;   // SyntaxError or one of its kin
  std::string described; // "TypeError: text"; a syntax error's text alone
  std::string rendered;  // as the command line prints it
};

struct Outcome {
  std::map<int, std::string> output;  // by the line that printed
  std::string all_output;
  std::string warnings;  // what went to the error stream
  std::optional<RaisedError> error;
  bool timed_out = false;
};

[[nodiscard]] Outcome run_script(const Script& script, double seconds);

// What differs from the script's expectations, one finding a line; empty: nothing.
[[nodiscard]] std::string compare(const Script& script, const Outcome& outcome);

}  // namespace gpy::test
