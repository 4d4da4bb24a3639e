#pragma once

#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt::cuda {

// What runtime/ops/support calls the type of an element.
std::string_view type_name(DType dtype);

}  // namespace gpy::rt::cuda
