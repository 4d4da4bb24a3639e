#pragma once

#include "runtime/graph/plan.h"

namespace gpy::rt {

// Reorders the loop nest of a plan that still has one stride per axis of `domain`; sets extents.
void permute(Plan& plan, const Dims& domain, const Dims& order);

// Brings a plan's loops to normal form: no extents of 1, maps ordered by the first output's strides
// with its last axis innermost, neighbours that every operand walks as one merged into one.
// Dimensions are never merged across the border between kept and reduced.
void collapse(Plan& plan);

}  // namespace gpy::rt
