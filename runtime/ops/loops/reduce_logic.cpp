#include "runtime/ops/loops/reduce.h"

namespace gpy::rt {
#define REDUCTION GPY_REDUCTION_OP
#include "runtime/ops/reductions/logic.def"
#undef REDUCTION

namespace GPY_ISA {
#define REDUCTION GPY_REDUCTION_TABLE
#include "runtime/ops/reductions/logic.def"
}  // namespace GPY_ISA
}  // namespace gpy::rt
