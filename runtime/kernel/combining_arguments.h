#pragma once

// The arguments of kernels that combine elements along axes: reductions and scans.

#include "runtime/kernel/generated.h"

namespace gpy::rt {

// Refuses a wrong number of arguments, and raw arrays alone: kType, kValue.
void check_inputs(const std::string& kernel, std::span<const KernelParameter> inputs,
                  std::span<const Operand> arguments);
// `out`, which may be null, decides the output's type where no input does.
TypeBinding bind_types(const std::string& kernel, std::span<const KernelParameter> inputs,
                       const KernelParameter& output, std::span<const Operand> arguments,
                       const Array* out);
// Throws kValue "Out shape is mismatched".
void check_out_shape(const std::string& kernel, const KernelParameter& output, const Array& out,
                     const Dims& shape);
// An argument as `dtype` in its place; an array that is not raw is broadcast to `shape`, with its
// axes in `order`.
Bound bind_arranged(Session& session, const KernelParameter& parameter, const Operand& argument,
                    DType dtype, const Dims& shape, const Dims& order, Space space);
// The layout with its axes in `order`.
Layout arranged(const Layout& layout, const Dims& order);

}  // namespace gpy::rt
