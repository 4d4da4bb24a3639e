#pragma once

// Selection by masks: by the sort family, or where a GPU has none by a scan of the mask, which
// tells the place of each chosen element, and a scatter.

#include <vector>

#include "runtime/session.h"

namespace gpy::rt {

// array[mask], where the mask (bool) has the shape of the array's first axes: one axis of the
// chosen elements, then the rest of the array's.
Array select(Session& session, const Array& array, const Array& mask);

// One int64 array per axis: the indices of the true elements.
std::vector<Array> nonzero(Session& session, const Array& array);

}  // namespace gpy::rt
