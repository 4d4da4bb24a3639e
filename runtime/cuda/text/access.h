#pragma once

// The access to operands, for the schedules of maps and of reductions.

#include "runtime/cuda/text/schedule.h"

namespace gpy::rt::cuda {

// kVector or kStrided, for an operand whose lanes lie along vector_dim.
Access vector_access(const Dims& strides, DType dtype, const void* address, int vector_dim,
                     int lanes);

// Fill the accesses of a schedule whose lanes are neighbours along vector_dim, or have an index
// each.
void classify_vectors(const Plan& plan, const Bindings& bindings, Schedule& schedule);
void classify_lanes(const Plan& plan, Schedule& schedule);

// Chooses the form of a plan that has a reduction or scan.
void schedule_reduction(const Plan& plan, const Bindings& bindings, Schedule& schedule);

}  // namespace gpy::rt::cuda
