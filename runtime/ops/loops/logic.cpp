#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
#define QUIET_ROW ROW
#define ROW GPY_UFUNC_OP
#include "runtime/ops/ufuncs/logic.def"
#undef ROW

namespace GPY_ISA {
#define ROW GPY_UFUNC_TABLE
#include "runtime/ops/ufuncs/logic.def"
}  // namespace GPY_ISA
}  // namespace gpy::rt
