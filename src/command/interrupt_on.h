#pragma once

#include <csignal>

#include "src/interpreter.h"

namespace gpy::command {

// Ctrl-C interrupts the interpreter during the lifetime of this object.
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
