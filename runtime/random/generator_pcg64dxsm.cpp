#include "runtime/random/generator_loops.h"

namespace gpy::rt {
template class Generator<Pcg64Dxsm>;
}  // namespace gpy::rt
