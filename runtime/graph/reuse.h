#pragma once

// Results that take the memory of an array which is read for the last time: `x += 1` and
// `x = x + 1` need no second array.

#include "runtime/graph/expression.h"
#include "runtime/session.h"

namespace gpy::rt {

// The leaf of a pending expression whose memory its result may take: nothing but the expression has
// the value, and each element is read where the result's is stored. Null where there is none.
const NodeInput* reusable_leaf(Session& session, const Expression& expression);

}  // namespace gpy::rt
