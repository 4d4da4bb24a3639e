#include "tests/runner/run_script.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "src/interpreter.h"
#include "src/object_exception.h"
#include "stdlib/install.h"
#include "tests/cli/process.h"

namespace gpy::test {

namespace {

// Interrupts the interpreter when time is up, again and again until the script has ended.
class Watchdog {
 public:
  Watchdog(Interpreter& vm, double seconds)
      : thread_([this, &vm, seconds] { watch(vm, std::chrono::duration<double>(seconds)); }) {}
  ~Watchdog() {
    {
      std::lock_guard lock(mutex_);
      done_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  bool has_bitten() {
    std::lock_guard lock(mutex_);
    return bitten_;
  }

 private:
  void watch(Interpreter& vm, std::chrono::duration<double> limit) {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, limit, [this] { return done_; })) {
      bitten_ = true;
      vm.interrupt();
    }
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false, bitten_ = false;
  std::thread thread_;
};

int line_in_script(Interpreter& vm, const Exception& exception, const Script& script) {
  for (const Position& position : vm.trace_of(exception)) {
    if (position.file == script.path) return static_cast<int>(position.line);
  }
  return 0;
}

int syntax_error_line(Interpreter& vm, const Raised& raised) {
  Value line = vm.try_get_attribute(raised.exception, vm.intern("lineno"));
  return line.is_defined() && !line.is_none() ? static_cast<int>(vm.to_index(line)) : 0;
}

RaisedError describe(Interpreter& vm, const Raised& raised, const Script& script) {
  RaisedError error;
  auto& exception = *static_cast<Exception*>(raised.exception.as_object());
  std::string message = exception.message(vm);
  message = message.substr(0, message.find('\n'));
  error.line = line_in_script(vm, exception, script);
  error.syntax = error.line == 0 && vm.is_instance(raised.exception, vm.types.syntax_error);
  if (error.syntax) {
    error.line = syntax_error_line(vm, raised);
    error.described = message;
  } else {
    error.described = std::string(vm.type_name(raised.exception));
    if (!message.empty()) error.described += ": " + message;
    error.described = trim_right(error.described);
  }
  error.rendered = vm.render(raised);
  return error;
}

}  // namespace

Outcome run_script(const Script& script, double seconds) {
  Outcome outcome;
  Interpreter vm;
  lib::install(vm);
  vm.out = [&](std::string_view text) {
    Position position = vm.current_position();
    int line = position.file == script.path ? static_cast<int>(position.line) : 0;
    outcome.output[line] += text;
    outcome.all_output += text;
  };
  vm.err = [&](std::string_view text) { outcome.warnings += text; };
  vm.search_path = {std::filesystem::path(script.path).parent_path().string()};
  TemporaryFolder scratch;
  vm.arguments = {script.path, scratch.path()};
  Watchdog watchdog(vm, seconds);
  try {
    vm.run_source(script.text, script.path, vm.main_module());
  } catch (const Raised& raised) {
    outcome.error = describe(vm, raised, script);
  }
  outcome.timed_out = watchdog.has_bitten();
  return outcome;
}

}  // namespace gpy::test
