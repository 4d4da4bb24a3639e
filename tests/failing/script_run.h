#pragma once
// An interpreter in which memory fails.

#include <functional>
#include <memory>
#include <optional>

#include "runtime/session.h"
#include "src/array/arrays.h"
#include "src/interpreter.h"
#include "stdlib/install.h"
#include "tests/failing/subject.h"

namespace gpy::test::failing {

struct ScriptRun {
  // Uses the CPU, or the fake GPU if its calls are to fail.
  explicit ScriptRun(What what) {
    const char* device = what == What::device ? "cuda" : "cpu";
    lib::install(vm, std::make_shared<rt::Runtime>(rt::DeviceChoice::parse(device)));
    queues.emplace(&session(vm).queues);
    listen();
  }
  // Runs `work` with the failures of the trial, and notes the exception that it raises.
  void run(const Trial& trial, const std::function<void()>& work);
  // Notes whether the interpreter still computes 1 + 1.
  void ask();
  // Runs a script once more, in the same interpreter.
  void repeat(const std::string& text, const std::string& path);

  Ending ending;
  Interpreter vm;
  std::optional<rt::QueueScope> queues;  // ends before the interpreter

 private:
  void listen();
};

}  // namespace gpy::test::failing
