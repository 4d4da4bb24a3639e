#pragma once
// Reports of errors where memory is short.

#include <new>

#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// Calls make(), and if memory runs out, once more with the memory reserved for a report.
template <class Make> auto with_reserve(Interpreter& vm, Make&& make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    if (!vm.state().memory_errors.release_reserve()) throw;
  }
  return make();
}

}  // namespace gpy
