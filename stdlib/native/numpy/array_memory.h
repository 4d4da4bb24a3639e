#pragma once
// The memory of arrays and of mapped files: methods, attributes, and what families in gpy need.

#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

Family memory_family();
std::span<const NativeGetter> memory_getters();
// Those of numpy.ndarray alone.
std::span<const NativeGetter> host_memory_getters();
std::span<const Native> own_memory_rows();
std::span<const Native> own_mapping_rows();

}  // namespace gpy::lib
