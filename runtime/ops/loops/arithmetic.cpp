#include "runtime/ops/loops/complex_loops.h"

namespace gpy::rt {
#define QUIET_ROW ROW
#define ROW GPY_UFUNC_OP
#include "runtime/ops/ufuncs/arithmetic.def"
#undef ROW

namespace {
template <class F> struct Special<op_absolute, Complex<F>> {
  static constexpr bool exists = true;
  using Loop = Magnitudes<F>;
};
#if defined(__FMA__)
template <class F> struct Special<op_multiply, Complex<F>> {
  static constexpr bool exists = true;
  using Loop = ComplexProducts<F>;
};
#endif
}  // namespace

namespace GPY_ISA {
#define ROW GPY_UFUNC_TABLE
#include "runtime/ops/ufuncs/arithmetic.def"
}  // namespace GPY_ISA
}  // namespace gpy::rt
