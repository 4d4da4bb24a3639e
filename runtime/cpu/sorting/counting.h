#pragma once

// The number of values in each bin, or the sum of their weights.

#include "runtime/cpu/sorting/row_work.h"

namespace gpy::rt {

Extremes extremes_of(ThreadPool& threads, const int64_t* values, int64_t count);
void count_values_in(Workplace& at, const int64_t* values, int64_t count, int64_t bins,
                     const Tally& tally);
void count_between_edges(Workplace& at, DType dtype, const void* values, int64_t count,
                         const void* edges, int64_t bins, const Tally& tally);

}  // namespace gpy::rt
