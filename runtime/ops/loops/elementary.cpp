#include "runtime/ops/loops/vector_math.h"

namespace gpy::rt {
#define QUIET_ROW ROW
#define ROW GPY_UFUNC_OP
#include "runtime/ops/ufuncs/elementary.def"
#undef ROW

namespace {
GPY_VECTOR_1(exp, exp)
GPY_VECTOR_1(exp2, exp2)
GPY_VECTOR_1(expm1, expm1)
GPY_VECTOR_1(log, log)
GPY_VECTOR_1(log2, log2)
GPY_VECTOR_1(log10, log10)
GPY_VECTOR_1(log1p, log1p)
GPY_VECTOR_1(sin, sin)
GPY_VECTOR_1(cos, cos)
GPY_VECTOR_1(tan, tan)
GPY_VECTOR_1(arcsin, asin)
GPY_VECTOR_1(arccos, acos)
GPY_VECTOR_1(arctan, atan)
GPY_VECTOR_1(sinh, sinh)
GPY_VECTOR_1(cosh, cosh)
GPY_VECTOR_1(tanh, tanh)
GPY_VECTOR_1(arcsinh, asinh)
GPY_VECTOR_1(arccosh, acosh)
GPY_VECTOR_1(arctanh, atanh)
GPY_VECTOR_1(cbrt, cbrt)
GPY_VECTOR_1(erf, erf)
GPY_VECTOR_1(erfc, erfc)
GPY_VECTOR_2(arctan2, atan2)
GPY_VECTOR_2(hypot, hypot)
GPY_VECTOR_2(power, pow)
}  // namespace

namespace GPY_ISA {
#define ROW GPY_UFUNC_TABLE
#include "runtime/ops/ufuncs/elementary.def"
}  // namespace GPY_ISA
}  // namespace gpy::rt
