#pragma once
// The reading of launches that raw kernels in CUDA C++ and in gpy share.

#include "runtime/kernel/launch_shape.h"
#include "src/interpreter.h"

namespace gpy {

// Each an int, or up to three of them.
rt::LaunchShape to_launch_shape(Interpreter& vm, const Value& grid, const Value& block);

// Raw kernels take addresses of the device's memory. Where the CPU stands in for the device, the
// host's would work too, but only there, so they are refused: TypeError.
void refuse_host_array(Interpreter& vm, const Value& value);

}  // namespace gpy
