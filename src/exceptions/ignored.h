#pragma once
// Exceptions that nobody can catch, from code that runs while an object ends.

#include <string>
#include <string_view>

#include "src/exceptions/as_raised.h"

namespace gpy {

// Writes "Exception ignored in: WHAT" and the exception to the error stream. Failures of that are
// ignored.
void tell_ignored(Interpreter& vm, std::string_view what, const Raised& raised) noexcept;

// Flushes output of ending objects where no run does it; failures are ignored.
void try_flush_out(Interpreter& vm) noexcept;

// Runs code at the end of an object, which `describe` names. An exception is reported, as CPython
// does, and goes no further.
template <class Work, class Describe>
void ignoring_exceptions(Interpreter& vm, Work&& work, Describe&& describe) noexcept {
  try {
    as_raised(vm, work);
  } catch (const Raised& raised) {
    std::string what = "?";
    try {
      what = describe();
    } catch (...) {  // there is no memory for its name
    }
    tell_ignored(vm, what, raised);
  }
}

}  // namespace gpy
