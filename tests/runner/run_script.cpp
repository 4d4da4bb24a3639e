#include "tests/runner/run_script.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "runtime/session.h"
#include "src/array/arrays.h"
#include "src/code.h"
#include "src/interpreter.h"
#include "src/objects/exception.h"
#include "runtime/core/environment.h"
#include "src/loops/loop_watch.h"
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

int line_in_script(const Exception& exception, const Script& script) {
  for (const TracePoint& point : exception.trace) {
    const syntax::SourceFile& source = *point.code->source;
    if (source.name() == script.path) return source.line_of(point.code->spans[point.at].begin);
  }
  return 0;
}

// An attribute of syntax errors.
Value attribute(Interpreter& vm, const Raised& raised, std::string_view name) {
  return vm.try_get_attribute(raised.exception, vm.intern(name));
}

RaisedError describe_syntax_error(Interpreter& vm, const Raised& raised) {
  RaisedError error;
  error.syntax = true;
  error.line = static_cast<int>(vm.to_index(attribute(vm, raised, "lineno")));
  error.described = vm.to_str(attribute(vm, raised, "msg"));
  return error;
}

// The message, or what a traceback shows where the exception's own __str__ raises.
std::string message_of(Interpreter& vm, const Raised& raised) {
  try {
    return vm.to_str(raised.exception);
  } catch (const Raised&) {
    return "<exception str() failed>";
  }
}

RaisedError describe_error(Interpreter& vm, const Raised& raised, int line) {
  RaisedError error;
  error.line = line;
  error.described = vm.type_of(raised.exception)->name;
  std::string message = message_of(vm, raised);
  if (!message.empty()) error.described += ": " + message.substr(0, message.find('\n'));
  error.described = trim_right(error.described);
  return error;
}

RaisedError describe(Interpreter& vm, const Raised& raised, const Script& script) {
  int line = line_in_script(*raised.exception.as<Exception>(), script);
  bool syntax = line == 0 && vm.is_instance(raised.exception, vm.types.syntax_error);
  RaisedError error = syntax ? describe_syntax_error(vm, raised) : describe_error(vm, raised, line);
  error.rendered = vm.render(raised);
  return error;
}

}  // namespace

ScriptRunner::ScriptRunner(const std::string& device, double seconds, const std::string& hostile)
    : device_(device),
      seconds_(seconds),
      runtime_(std::make_shared<rt::Runtime>(rt::DeviceChoice::parse(device),
                                             rt::Hostile::parse(hostile))) {}

std::string ScriptRunner::complaint() {
  if (!device_.starts_with("cuda")) return "";
  if (runtime_->gpu_count() == 0) return "no GPU: " + runtime_->no_gpu_reason();
  if (runtime_->backend(rt::kHostPlace + 1).counters.plans_run > 0) return "";
  return "not one kernel was launched on " + device_;
}

Outcome ScriptRunner::run(const Script& script) {
  Outcome outcome;
  Interpreter vm;
  lib::install(vm, runtime_);
  // Loops compile themselves where the environment asks for it: GPY_COMPILE_LOOPS=at-once.
  if (!rt::environment_variable("GPY_COMPILE_LOOPS").empty()) watch_loops(vm);
  const rt::QueueScope queues(&session(vm).queues);
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
  Watchdog watchdog(vm, seconds_);
  try {
    vm.run_source(script.text, script.path, vm.main_module());
  } catch (const Raised& raised) {
    outcome.error = describe(vm, raised, script);
  }
  outcome.timed_out = watchdog.has_bitten();
  return outcome;
}

}  // namespace gpy::test
