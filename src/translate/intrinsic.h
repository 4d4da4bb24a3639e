#pragma once
// What only kernels on a grid have: positions, shared memory, barriers, atomics. Outside of a
// kernel they are names without a value: `cuda.grid`, `cuda.threadIdx.x`, `cuda.atomic.add`.

#include <string>
#include <string_view>

#include "src/array/objects.h"
#include "src/interpreter.h"

namespace gpy {

struct IntrinsicObject : Object {
  static constexpr ObjectLayout kLayout = kIntrinsicLayout;
  IntrinsicObject(Type* type, std::string name) : Object(type), name(std::move(name)) {}
  std::string name;  // "threadIdx.x"
};

// Whether the name, or one that begins with it and a dot, is an intrinsic; all begin with "".
bool is_intrinsic(std::string_view name);

void setup_intrinsics(Interpreter& vm);
// Undefined where there is no such intrinsic.
Value make_intrinsic(Interpreter& vm, std::string_view name);

}  // namespace gpy
