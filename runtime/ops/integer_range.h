#pragma once

// The range of an array's integers, and checks that follow from it. Finding it forces the array,
// once: the answer is remembered where graph/facts.h allows that.

#include <utility>

#include "runtime/ops/elementwise.h"

namespace gpy::rt {

// Smallest and largest element, or the bounds that are remembered; the array is not empty.
std::pair<int64_t, int64_t> integer_range(Session& session, const Array& array);

// Whether all elements are from 0 on and less than `end`. What is remembered may be wider bounds:
// the elements are asked then.
bool lie_within(Session& session, const Array& array, int64_t end);
// Whether the smallest is 0 and the largest `last`, likewise.
bool reach_from_0_to(Session& session, const Array& array, int64_t last);

// True for `power` of integers: negative exponents are refused.
bool checks_exponents(const Ufunc& ufunc, const UfuncLoop& loop);
// Throws kValue where they are, and a negative exponent takes part.
void check_exponents(Session& session, const ResolvedLoop& loop, std::span<const Term> inputs,
                     const Operand* where);

}  // namespace gpy::rt
