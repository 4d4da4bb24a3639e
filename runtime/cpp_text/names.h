#pragma once

#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// The name of an element type in runtime/ops/support.
std::string_view cpp_type_name(DType dtype);
// The type to read an element from memory as: a bool is a byte there, which may be any number; all
// but 0 are true.
std::string_view cpp_memory_type_name(DType dtype);

}  // namespace gpy::rt
