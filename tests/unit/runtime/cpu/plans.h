#pragma once

// Short ways to write plans in tests.

#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/cpu/cpu_backend.h"
#include "runtime/graph/plan.h"

namespace gpy::rt::test {

inline Dims packed(const Dims& extents) {
  Dims strides(extents.size(), 1);
  for (int axis = extents.size() - 2; axis >= 0; --axis) {
    strides[axis] = strides[axis + 1] * extents[axis + 1];
  }
  return strides;
}

// A ufunc's op, its loop found by the arguments' types.
inline PlanOp op(std::string_view name, std::vector<Register> args, std::vector<DType> types) {
  const Ufunc& ufunc = *find_ufunc(name);
  const UfuncLoop* loop = resolve(ufunc, types);
  PlanOp op;
  op.ufunc = ufunc.id;
  op.loop = static_cast<uint16_t>(loop - ufunc.loops.data());
  op.dtype = loop->out;
  for (size_t i = 0; i < args.size(); ++i) op.args[i] = args[i];
  return op;
}

inline PlanInput input(DType dtype, Dims strides) {
  return {PlanInput::Kind::kBuffer, dtype, std::move(strides)};
}

template <class T> std::array<std::byte, 16> scalar(T value) {
  std::array<std::byte, 16> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

inline CpuBackend& backend() {
  static CpuBackend backend;
  return backend;
}

inline void run(const Plan& plan, const Bindings& bindings, RunReport* report) {
  backend().prepare(plan, false)->run(bindings, report);
}

}  // namespace gpy::rt::test
