#pragma once

// Binary search, many values at once: their steps wait for memory together.

#include "runtime/cpu/sorting/row_work.h"

namespace gpy::rt {

void search_sorted(Workplace& at, DType dtype, const void* sorted, int64_t length,
                   const void* values, int64_t count, Side side, int64_t* positions);

void interpolate_at(Workplace& at, const Knots& knots, const double* values, int64_t count,
                    double* to);

void find_contained(Workplace& at, DType dtype, const void* set, int64_t length, const void* values,
                    int64_t count, bool* found);

}  // namespace gpy::rt
