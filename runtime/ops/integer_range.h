#pragma once

// What integers an array holds, and checks that follow from it. Looking forces the array, once: its
// value remembers the answer, as that of its dtype, unless the array is a part of it or somebody
// outside may write it.

#include <utility>

#include "runtime/ops/elementwise.h"

namespace gpy::rt {

// Smallest and largest element, or the bounds that remember_range was given; the array is not
// empty.
std::pair<int64_t, int64_t> integer_range(Session& session, const Array& array);

// Whoever made the array knows that no element is outside [low, high], which need not be elements.
void remember_range(const Array& array, int64_t low, int64_t high);

// kValue where `power` has an integer loop and a negative exponent that takes part.
void check_exponents(Session& session, const ResolvedLoop& loop, std::span<const Operand> inputs,
                     const Operand* where);

}  // namespace gpy::rt
