#pragma once

// Draws of gp.random and cupy.random: each element has a block of bits of its own, which Philox
// makes of the seed and the element's number. So an element depends on no other one, whatever the
// distribution rejects.

#include <cstdint>

#include "runtime/random/distribution.h"

namespace gpy::rt {

// The elements `first` to `first + count` of the stream `seed`, into `out`.
void draw_blocks(uint64_t seed, uint64_t first, Distribution distribution,
                 const Parameters& parameters, void* out, int64_t count);

}  // namespace gpy::rt
