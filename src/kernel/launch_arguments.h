#pragma once
// The reading of launches that raw kernels in CUDA C++ and in gpy share.

#include <span>
#include <vector>

#include "runtime/kernel/launch_shape.h"
#include "src/interpreter.h"

namespace gpy {

// Each an int, or up to three of them.
rt::LaunchShape to_launch_shape(Interpreter& vm, const Value& grid, const Value& block);

// What a call `kernel(grid, block, args, shared_mem=0, stream=None)` gives, by place or by name; no
// more than `most` by place. TypeError for other calls.
struct LaunchArguments {
  rt::LaunchShape shape;
  std::span<const Value> values;  // of the call's tuple, or those collected
  std::vector<Value> collected;
  const Value* stream;  // null: it is not given
};
LaunchArguments to_launch(Interpreter& vm, std::string_view kernel, const CallArgs& arguments,
                          size_t most);

// Raw kernels take addresses of the device's memory. Where the CPU stands in for the device, the
// host's would work too, but only there, so they are refused: TypeError.
void refuse_host_array(Interpreter& vm, const Value& value);

}  // namespace gpy
