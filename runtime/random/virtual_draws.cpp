#include "runtime/random/virtual_draws.h"

#include "runtime/random/draw_loops.h"

namespace gpy::rt {

void frozen_draw_any(BitGenerator& engine, SpareNormal& spare, Distribution distribution,
                     const Parameters& parameters, void* out, int64_t count) {
  FrozenBits<BitGenerator> bits{engine, spare};
  draw_row(bits, distribution, parameters, out, count);
}

}  // namespace gpy::rt
