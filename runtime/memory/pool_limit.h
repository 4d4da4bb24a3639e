#pragma once

// The limit that the environment sets to pools: CUPY_GPU_MEMORY_LIMIT, as CuPy reads it.

#include <cstddef>
#include <optional>

namespace gpy::rt {

// Bytes, or "40%" of the device's `total`; none where it is not set. Throws kValue for other texts.
std::optional<size_t> memory_limit_of_environment(size_t total);

}  // namespace gpy::rt
