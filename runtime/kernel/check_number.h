#pragma once

// Numbers that are passed to kernels.

#include <string>
#include <string_view>

#include "runtime/core/scalar.h"

namespace gpy::rt {

// "argument 2 ('n')": the parameter at `i`, counted from 0, as errors call it.
std::string argument_text(size_t i, std::string_view parameter);

// Refuses a number that would lose its fraction, its imaginary part or its size as an argument.
// Throws kType and kOverflow. `type`: that of the parameter at `i`, as the kernel writes it.
void check_number(std::string_view kernel, size_t i, std::string_view parameter,
                  std::string_view type, DType to, const Scalar& number);

}  // namespace gpy::rt
