#include "runtime/random/generator_loops.h"

namespace gpy::rt {
template class Generator<Pcg64>;
}  // namespace gpy::rt
