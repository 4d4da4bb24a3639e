#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
#define QUIET_ROW ROW
#define ROW GPY_UFUNC_OP
#include "runtime/ops/ufuncs/elementary.def"
#undef ROW

namespace GPY_ISA {
#define ROW GPY_UFUNC_TABLE
#include "runtime/ops/ufuncs/elementary.def"
}  // namespace GPY_ISA
}  // namespace gpy::rt
