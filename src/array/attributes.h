#pragma once
// Attributes of arrays and scalars.

#include <span>

#include "src/array/arrays.h"

namespace gpy {

std::span<const NativeGetter> ndarray_getters();
std::span<const NativeGetter> scalar_getters();

}  // namespace gpy
