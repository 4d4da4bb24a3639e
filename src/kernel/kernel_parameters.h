#pragma once
// CuPy's view of a kernel's parameters, and the attributes that kernels of both kinds have.

#include "src/kernel/kernel_objects.h"

namespace gpy {

// `in_params` and its like: a tuple of ParameterInfo.
Value parameter_tuple(Interpreter& vm, std::span<const rt::KernelParameter> parameters,
                      bool is_const);
// One that is no argument, such as `_ind`.
Value own_parameter(Interpreter& vm, std::string name);

// `cached_codes`: a dict of source texts by the dtypes of arrays; warns where there is none.
Value cached_codes(Interpreter& vm, std::span<const rt::CompiledVersion> versions);
Value cached_code(Interpreter& vm, std::span<const rt::CompiledVersion> versions);

// The place of a text that a script gives to the parameter of a kernel's class, named by that and
// the line that makes the kernel.
rt::KernelPlace place_in_text(Interpreter& vm, std::string_view parameter);
// `out=`, or the one argument after the inputs; null for none.
const Value* combined_out(Interpreter& vm, const CallArgs& arguments, size_t inputs);

inline Value count(size_t number) { return Value::integer(static_cast<int64_t>(number)); }
// None for an empty text.
inline Value text_or_none(Interpreter& vm, const std::string& text) {
  return text.empty() ? Value::none() : vm.str(text);
}
Value text_tuple(Interpreter& vm, std::span<const std::string> texts);

}  // namespace gpy
