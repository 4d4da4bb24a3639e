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
  // On the CPU, or on the fake GPU where that is what fails.
  explicit ScriptRun(What what) {
    const char* device = what == What::device ? "cuda" : "cpu";
    lib::install(vm, std::make_shared<rt::Runtime>(rt::DeviceChoice::parse(device)));
    queues.emplace(&session(vm).queues);
    listen();
  }
  // `work` with memory that fails as the trial says; what it raises is noted.
  void run(const Trial& trial, const std::function<void()>& work);
  // Whether the interpreter still knows what 1 + 1 is.
  void ask();
  // A script once more, in the same interpreter.
  void repeat(const std::string& text, const std::string& path);

  Ending ending;
  Interpreter vm;
  std::optional<rt::QueueScope> queues;  // ends before it

 private:
  void listen();
};

}  // namespace gpy::test::failing
