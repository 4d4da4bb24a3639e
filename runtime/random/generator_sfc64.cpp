#include "runtime/random/generator_loops.h"

namespace gpy::rt {
template class Generator<Sfc64>;
}  // namespace gpy::rt
