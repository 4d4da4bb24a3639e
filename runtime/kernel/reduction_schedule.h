#pragma once

// How the elements of a reduction are shared among threads. It follows from shapes and strides
// alone, so the result is the same in every run.

#include "runtime/kernel/generated.h"

namespace gpy::rt {

// The threads of a GPU's block.
constexpr int64_t kReductionThreads = 256;
// Outputs of a job on the host that are neighbours in memory.
constexpr int64_t kHostLanes = 64;

struct ReductionSchedule {
  int kept_rank = 0;     // of the axes; the rest are reduced
  int64_t parts = 1;     // of the elements of an output
  int64_t lanes = 1;     // outputs of a job; on a GPU as many threads take turns for each
  bool columns = false;  // neighbouring threads take neighbouring outputs, not elements
};

// `shape`: the kept axes, then the reduced ones. These and the inputs' axes are made as few as all
// strides allow.
ReductionSchedule schedule_reduction(std::span<Bound> inputs, Dims& shape, int kept_rank,
                                     bool host);

}  // namespace gpy::rt
