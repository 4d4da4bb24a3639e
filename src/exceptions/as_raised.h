#pragma once
// The way into the interpreter from outside of its run loop: a prompt, a report, a completion. What
// runs a script's code there may also meet what the floors below throw, as the run loop does.

#include "src/interpreter.h"

namespace gpy {

// Runs `work`; whatever it throws leaves as Raised, the exception that a script would have caught.
template <class Work> auto as_raised(Interpreter& vm, Work&& work) {
  try {
    return work();
  } catch (const Raised&) {
    throw;
  } catch (...) {
    throw Raised{vm.exception_from_native()};
  }
}

}  // namespace gpy
