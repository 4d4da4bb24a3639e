#pragma once
// What only kernels on a grid have: positions, shared memory, barriers, atomics. Outside of a
// kernel they are names without a value: `cuda.grid`, `cuda.threadIdx.x`, `cuda.atomic.add`.

#include <optional>
#include <string>
#include <string_view>

#include "src/array/objects.h"
#include "src/interpreter.h"

namespace gpy {

struct IntrinsicObject : Object {
  static constexpr ObjectLayout kLayout = kIntrinsicLayout;
  IntrinsicObject(Type* type, std::string name) : Object(type), name(std::move(name)) {}
  std::string name;  // "threadIdx.x"
  // Of a collective operation and its parts, `cub.BlockReduce[int32, 256].Sum`.
  std::optional<rt::DType> dtype = {};
  int64_t threads = 0;
};

// Whether the name, or one that begins with it and a dot, is an intrinsic; all begin with "".
bool is_intrinsic(std::string_view name);

void setup_intrinsics(Interpreter& vm);
// Undefined where there is no such intrinsic.
Value make_intrinsic(Interpreter& vm, std::string_view name);
// Of a type, and for so many threads. Throws TypeError for an intrinsic that has no types.
Value make_typed_intrinsic(Interpreter& vm, const IntrinsicObject& of, rt::DType dtype,
                           int64_t threads);

}  // namespace gpy
