#pragma once

// A ufunc in place where an index says, an element at a time: a place named twice changes twice.

#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"

namespace gpy::rt {

// target[items] = ufunc(target[items], operand) in C order. `operand` is null for a unary ufunc and
// must broadcast to the indexed shape otherwise. What the loop gives is cast as C casts. Sums,
// products, extremes and bits are the sort family's; all else is done on the host, wherever the
// target is. Throws kValue where the target is read-only.
void apply_at(Session& session, const Ufunc& ufunc, const Array& target,
              std::span<const IndexItem> items, const Operand* operand);

}  // namespace gpy::rt
