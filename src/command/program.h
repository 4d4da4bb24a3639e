#pragma once
// A script run as the main module, and what became of it as an exit code.

#include <csignal>
#include <string>

#include "src/command/options.h"
#include "src/interpreter.h"

namespace gpy::command {

struct Program {
  std::string name;  // "script.gpy", "<string>", "<stdin>"; a text, not the path's bytes
  std::string text;
  std::string folder;      // where imports look first
  bool is_module = false;  // `name` is a module's, whose text is looked for when it is run
};

// Both throw std::runtime_error with one line for a file that cannot be read.
std::string read_file(const std::string& path);
Program read_program(const Options& options);

// How uncaught errors are shown from now on: a setting of the process.
void choose_report(const Options& options);

int run_program(Interpreter& vm, const Program& program);
// After the last statement: objects that have something to say at their end say it.
void finish(Interpreter& vm);
// Shows an uncaught exception, whatever comes of that; the exit code, SystemExit's own.
int report(Interpreter& vm, const Raised& raised);
// One line where there is no memory to say more.
void say_out_of_memory();
// What is buffered goes out. Where it cannot, an exit code: kError if nobody reads it any more,
// else it is told, and kLostOutput.
int flush(Interpreter& vm);
// Until what the devices were given is done. Shows a late fault; false then.
bool wait_for_devices(Interpreter& vm);

// While it lives Ctrl-C interrupts the interpreter.
class InterruptOn {
 public:
  explicit InterruptOn(Interpreter& vm);
  ~InterruptOn();
  InterruptOn(const InterruptOn&) = delete;
  InterruptOn& operator=(const InterruptOn&) = delete;

 private:
  struct sigaction before_;
};

}  // namespace gpy::command
