#include "runtime/random/generator_loops.h"

namespace gpy::rt {
template class Generator<Philox4x64>;
}  // namespace gpy::rt
