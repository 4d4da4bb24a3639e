#include "runtime/kernel/combining_arguments.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

void check_inputs(const std::string& kernel, std::span<const KernelParameter> inputs,
                  std::span<const Operand> arguments) {
  if (arguments.size() != inputs.size()) {
    fail(ErrorKind::kType,
         "Wrong number of arguments for '{}'. It must be either {} or {} (with outputs), but given "
         "{}.",
         kernel, inputs.size(), inputs.size() + 1, arguments.size());
  }
  bool sized = false, raw = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    sized |= arguments[i].is_array() && !inputs[i].raw;
    raw |= inputs[i].raw;
  }
  if (raw && !sized) fail(ErrorKind::kValue, "{}: Loop size is undecided.", kernel);
}

TypeBinding bind_types(const std::string& kernel, std::span<const KernelParameter> inputs,
                       const KernelParameter& output, std::span<const Operand> arguments,
                       const Array* out) {
  TypeBinding types(kernel, inputs, arguments);
  const bool decided =
      std::ranges::find(inputs, output.type, &KernelParameter::type) != inputs.end();
  if (out && !decided && is_placeholder(output.type)) types.bind(output, out->dtype());
  return types;
}

void check_out_shape(const std::string& kernel, const KernelParameter& output, const Array& out,
                     const Dims& shape) {
  if (out.shape() == shape) return;
  fail(ErrorKind::kValue, "{}: Out shape is mismatched: '{}' has shape {}, the call has {}", kernel,
       output.name, tuple_text(out.shape()), tuple_text(shape));
}

Layout arranged(const Layout& layout, const Dims& order) {
  Layout out{layout.dtype, {}, {}, layout.offset};
  for (int64_t axis : order) {
    out.shape.push_back(layout.shape[axis]);
    out.strides.push_back(layout.strides[axis]);
  }
  return out;
}

Bound bind_arranged(Session& session, const KernelParameter& parameter, const Operand& argument,
                    DType dtype, const Dims& shape, const Dims& order, Space space) {
  Bound bound(parameter, dtype);
  if (!argument.is_array()) {
    if (parameter.raw) fail(ErrorKind::kType, "raw parameter '{}' needs an array", parameter.name);
    bound.number = argument.scalar();
    return bound;
  }
  const Array typed = astype(session, argument.array().as_array(), dtype, Casting::kUnsafe, false);
  const Array here = to_space(session, typed, space);
  if (parameter.raw) {
    bound.passing = Passing::kRaw;
    bound.array = dense_in(session, here, space);
    return bound;
  }
  bound.array = here.with_layout(arranged(*try_broadcast(here.layout(), shape), order));
  bound.passing = is_c_contiguous(bound.array.layout()) ? Passing::kDense : Passing::kStrided;
  return bound;
}

}  // namespace gpy::rt
