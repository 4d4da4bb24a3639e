#pragma once

// Sorting and searching of contiguous host memory, in NumPy's order: NaN after everything, complex
// numbers by their real part, then by their imaginary one.

#include <cstdint>

#include "runtime/core/dtype.h"

namespace gpy::rt {

// The next two end early, their results in disorder, when this thread's InterruptScope says so.
// Sorts each of `rows` rows of `length` elements. Stable where that can be seen.
void sort_rows(DType dtype, void* data, int64_t rows, int64_t length);
// The stable order of each row, as positions in it.
void argsort_rows(DType dtype, const void* data, int64_t* order, int64_t rows, int64_t length);
// For each value the first position in `sorted` (increasing, `length` elements) where it could be
// put in; after equal ones if `right`.
void search_sorted(DType dtype, const void* sorted, int64_t length, const void* values,
                   int64_t count, bool right, int64_t* positions);
// True where two elements are equal as numpy.unique counts them: all NaNs are one.
bool equal_elements(DType dtype, const void* a, const void* b);

}  // namespace gpy::rt
