#pragma once
// Arrays in memory that a script's objects have.

#include <memory>

#include "runtime/memory/array_source.h"
#include "src/interpreter.h"

namespace gpy::lib {

// Arrays take their memory by a script's function of a size, which gives a MemoryPointer. Array
// work inside of the function takes the devices' own memory.
std::shared_ptr<rt::ArraySource> make_script_source(Interpreter& vm, Value allocator);

// (pointer, shape, dtype, strides, order): an array over a MemoryPointer, which it keeps. Raises
// ValueError where the block ends before the array does.
Value array_at_pointer(Interpreter& vm, Args args);
// (pointer, shape, dtype, order): the same in memory of the host.
Value host_array_at_pointer(Interpreter& vm, Args args);

}  // namespace gpy::lib
