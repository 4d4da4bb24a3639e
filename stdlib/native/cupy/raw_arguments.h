#pragma once
// Numeric arguments of cupy.cuda.runtime's functions: addresses, sizes and devices.

#include "src/interpreter.h"

namespace gpy::lib {

// These throw the errors that a caller of a C function gets: TypeError, OverflowError.
size_t size_argument(Interpreter& vm, const Value& value);
uintptr_t address_argument(Interpreter& vm, const Value& value);
unsigned flags_argument(Interpreter& vm, const Value& value);
inline void* pointer_argument(Interpreter& vm, const Value& value) {
  return reinterpret_cast<void*>(address_argument(vm, value));
}
// A device's number. Throws CudaError for a device that does not exist.
int device_argument(Interpreter& vm, const Value& value);

std::span<const Native> runtime_memory_rows();
std::span<const Native> runtime_stream_rows();
std::span<const Native> runtime_graph_rows();
std::span<const Native> runtime_texture_rows();

}  // namespace gpy::lib
