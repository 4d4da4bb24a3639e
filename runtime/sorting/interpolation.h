#pragma once

// NumPy's formula of linear interpolation, for both compilers.

#include "runtime/sorting/sorting.h"

#ifdef __CUDACC__
#define GPY_BOTH __host__ __device__
#else
#define GPY_BOTH
#endif

namespace gpy::rt {

// The value at x, before which `behind` of the knots lie, or at which they are.
GPY_BOTH inline double interpolated(double x, int64_t behind, const Knots& knots) {
  const auto is_nan = [](double value) { return value != value; };
  const int64_t last = knots.count - 1;
  const double before = knots.has_left ? knots.left : knots.f[0];
  if (is_nan(x) && last > 0) return x;
  if (x > knots.x[last]) return knots.has_right ? knots.right : knots.f[last];
  if (x < knots.x[0]) return before;
  if (last == 0) return knots.f[0];
  if (behind == 0) return before;  // the knots are nan
  const int64_t low = behind - 1;
  const double x0 = knots.x[low], f0 = knots.f[low];
  if (low == last || x0 == x) return f0;
  const double x1 = knots.x[low + 1], f1 = knots.f[low + 1];
  const double slope = (f1 - f0) / (x1 - x0);
  const double found = slope * (x - x0) + f0;
  if (!is_nan(found)) return found;
  const double back = slope * (x - x1) + f1;
  return is_nan(back) && f0 == f1 ? f0 : back;
}

}  // namespace gpy::rt

#undef GPY_BOTH
