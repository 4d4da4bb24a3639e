#pragma once
// Runs a script in an interpreter of its own and notes the outcome.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "tests/runner/script.h"

namespace gpy::rt {
class Runtime;
}

namespace gpy::test {

struct RaisedError {
  int line = 0;           // in the script; 0: elsewhere
  bool syntax = false;    // SyntaxError or a subclass
  std::string described;  // "TypeError: text"; a syntax error's text alone
  std::string rendered;   // as the command line prints it
};

struct Outcome {
  std::map<int, std::string> output;  // by the line that printed
  std::string all_output;
  std::string warnings;  // the text that went to the error stream
  std::optional<RaisedError> error;
  bool timed_out = false;
};

// The interpreters of all scripts share a runtime, so that devices are set up once.
class ScriptRunner {
 public:
  // Throws rt::Error for a device that does not exist. A script that runs longer than `seconds` is
  // interrupted. `hostile`: the names of a hostile run, or nothing.
  ScriptRunner(const std::string& device, double seconds, const std::string& hostile = "");

  [[nodiscard]] Outcome run(const Script& script);
  // The reason why the scripts so far do not count as a run on the device: none of them launched
  // a kernel there. Empty: they do count.
  [[nodiscard]] std::string complaint();

 private:
  std::string device_;
  double seconds_;
  std::shared_ptr<rt::Runtime> runtime_;
};

// The differences from the script's expectations, one finding a line; empty: none.
[[nodiscard]] std::string compare(const Script& script, const Outcome& outcome);

}  // namespace gpy::test
