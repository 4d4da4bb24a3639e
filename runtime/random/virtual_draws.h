#pragma once

#include "runtime/random/bit_generator.h"

namespace gpy::rt {

// BitGenerator::frozen_draw for any engine, by virtual calls.
void frozen_draw_any(BitGenerator& bits, SpareNormal& spare, Distribution distribution,
                     const Parameters& parameters, void* out, int64_t count);

}  // namespace gpy::rt
