#pragma once

// Results that take the memory of an array which is read for the last time: `x += 1` and
// `x = x + 1` need no second array.

#include "runtime/graph/expression.h"
#include "runtime/session.h"

namespace gpy::rt {

// The memory of a loaded array that the result of a pending expression may take: nothing but the
// expression has the array, and each element is read where the result's is stored. Null where there
// is none. The caller tells the device of the write.
Ref<Buffer> find_reusable(Session& session, const Expression& expression);

}  // namespace gpy::rt
