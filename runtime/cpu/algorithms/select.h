#pragma once

// What flags choose, in contiguous host memory. A flag is set if it is not 0.

#include <cstdint>

namespace gpy::rt {

int64_t count_set(const uint8_t* flags, int64_t count);

// The positions of the flags that are set; `out` holds count_set of them.
void positions_set(const uint8_t* flags, int64_t count, int64_t* out);

// The elements, `size` bytes each, whose flag is set; `out` holds count_set of them.
void select_set(const uint8_t* flags, int64_t count, const void* elements, int64_t size, void* out);

}  // namespace gpy::rt
