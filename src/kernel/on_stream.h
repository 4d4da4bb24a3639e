#pragma once
// The `stream=` argument of a kernel's call.

#include "src/array/read_arguments.h"
#include "src/interpreter.h"

namespace gpy {

// Runs `f` as inside of `with stream:`; where there is no stream, as it is. TypeError for what is
// no stream.
template <class F> auto on_stream(Interpreter& vm, const Value* stream, F&& f) {
  if (!stream || !is_given(*stream)) return f();
  const Slots& slots = vm.type_of(*stream)->slots;
  if (!slots.enter || vm.try_get_attribute(*stream, vm.intern("ptr")).is_undefined()) {
    vm.raise_type_error("stream must be a cupy.cuda.Stream, not {}", vm.type_name(*stream));
  }
  slots.enter(vm, *stream);
  try {
    auto result = f();
    slots.exit(vm, *stream, Value::none());
    return result;
  } catch (...) {
    slots.exit(vm, *stream, Value::none());
    throw;
  }
}

}  // namespace gpy
