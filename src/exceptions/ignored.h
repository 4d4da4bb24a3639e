#pragma once
// Exceptions that nobody can catch: of what runs while an object ends.

#include <string>
#include <string_view>

#include "src/exceptions/as_raised.h"

namespace gpy {

// "Exception ignored in: WHAT" and the exception, on the error stream. Where that does not take it,
// nothing.
void tell_ignored(Interpreter& vm, std::string_view what, const Raised& raised) noexcept;

// What was printed by the ends of objects goes out, where no run does it and nobody could be told.
void try_flush_out(Interpreter& vm) noexcept;

// Runs what happens at the end of an object, which `describe` names. What it raises is told, as
// CPython does, and goes no further.
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
