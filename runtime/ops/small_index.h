#pragma once

// array[index] of one small integer index array along the first axis, at once where the host has
// all of it ready: like the small operations of ops/at_once.h, and under their conditions. Large,
// pending, invalid or a device's operands are refused: the general path then does it, or says why.

#include <optional>

#include "runtime/session.h"

namespace gpy::rt {

// The rows that `index` chooses, of shape index.shape + array.shape[1:].
std::optional<Array> try_gather_at_once(Session& session, const Array& array, const Array& index);

// array[index] = source, where the array has one axis. Of equal indices the last one counts.
bool try_scatter_at_once(Session& session, const Array& array, const Array& index,
                         const Term& source);

}  // namespace gpy::rt
