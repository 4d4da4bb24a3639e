#pragma once
// Runs the tests of a file, and reports differences on the standard output.

#include <memory>
#include <string>

#include "src/command/doctest/example.h"
#include "src/interpreter.h"

namespace gpy::command {

struct Tally {
  int passed = 0, failed = 0;
  Tally& operator+=(const Tally& other) {
    passed += other.passed;
    failed += other.failed;
    return *this;
  }
};

class SessionRunner {
 public:
  // `path`: the name of the file in reports.
  SessionRunner(Interpreter& vm, std::string path, Flags flags, bool verbose);
  ~SessionRunner();

  // Runs a session in a namespace of its own that begins with the names of `globals`.
  Tally run(const Session& session, Dict* globals);

 private:
  struct Outcome {
    std::string printed;
    Value raised;  // undefined if nothing was raised
  };

  bool try_example(const Session& session, size_t index, Module& module, Flags flags, bool quiet);
  bool run_script(const Session& session, const Script& script, Module& module);
  Tally try_script(const Session& session, const Script& script, Module& module);
  Outcome execute(const std::string& source, const std::string& name, Module& module);
  bool as_expected(const Example& example, const Outcome& outcome, Flags flags);
  std::string last_lines(const Outcome& outcome, bool with_suggestion);
  void report(const Session& session, int line, const std::string& heading,
              const std::string& source, const std::string& rest);

  Interpreter& vm_;
  std::string path_;
  Flags flags_;
  bool verbose_;
  std::string printed_;                         // since last looked at
  std::map<int, std::string> printed_by_line_;  // of the file
};

}  // namespace gpy::command
