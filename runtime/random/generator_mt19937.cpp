#include "runtime/random/generator_loops.h"

namespace gpy::rt {
template class Generator<Mt19937>;
}  // namespace gpy::rt
