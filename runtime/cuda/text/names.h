#pragma once

#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt::cuda {

// What runtime/ops/support calls the type of an element.
std::string_view type_name(DType dtype);
// The type to read it from memory as: a bool is a byte there, which may be any number; all but 0
// are true.
std::string_view memory_type_name(DType dtype);

}  // namespace gpy::rt::cuda
