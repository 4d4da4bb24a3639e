#pragma once
// cupy.cuda and the packages beside cupy.

#include "src/interpreter.h"

namespace gpy::lib {

void register_cupy_modules(Interpreter& vm);

// Devices, streams, events and graphs, as classes of the module cupy.cuda.
void add_device_classes(Interpreter& vm, Module& cuda);
void add_stream_classes(Interpreter& vm, Module& cuda);
void add_event_classes(Interpreter& vm, Module& cuda);
void add_graph_class(Interpreter& vm, Module& module);

// _cuda_runtime, the native half of cupy.cuda.runtime.
void register_cuda_runtime(Interpreter& vm);

// _cuda_memory, that of cupy.cuda.memory.
void register_cuda_memory(Interpreter& vm);
// A MemoryPointer to an array's first element. The address is the script's from then on.
Value data_of(Interpreter& vm, const Value& array);

// _cuda_nvtx, that of cupy.cuda.nvtx.
void register_nvtx(Interpreter& vm);

// Device i as an object: `<CUDA Device 0>`.
Value make_device(Interpreter& vm, int index);
// The free and the total bytes of a device's memory.
Value free_and_total(Interpreter& vm, int device);
// The number of devices that a script sees: the CPU stands in where there is no GPU.
int visible_devices(Interpreter& vm);
void synchronize_device(Interpreter& vm, int index);

}  // namespace gpy::lib
