#pragma once

// A ufunc in place where an index says, an element at a time: a place named twice changes twice.

#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"

namespace gpy::rt {

// target[items] = ufunc(target[items], operand) in C order. `operand` is null for a unary ufunc and
// must broadcast to the indexed shape otherwise. What the loop gives is cast as C casts. Done on
// the host, wherever the target is.
void apply_at(Session& session, const Ufunc& ufunc, const Array& target,
              std::span<const IndexItem> items, const Operand* operand);

}  // namespace gpy::rt
