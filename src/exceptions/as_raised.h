#pragma once
// The way into the interpreter from outside of its run loop: a prompt, a report, a completion. Such
// code may also meet C++ exceptions of the floors below, as the run loop does.

#include <exception>

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

// The text of an exception of the host's: what() may be null.
inline const char* what_of(const std::exception& error) {
  const char* text = error.what();
  return text ? text : "std::exception";
}

}  // namespace gpy
