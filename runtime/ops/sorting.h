#pragma once

// Order and counting. On a GPU these go through the host, counted in SessionCounters::host_copies.

#include <optional>

#include "runtime/session.h"

namespace gpy::rt {

Array sort(Session& session, const Array& array, std::optional<int64_t> axis);  // stable, NaN last
Array argsort(Session& session, const Array& array, std::optional<int64_t> axis);  // stable, int64

struct Unique {
  Array values, index, inverse, counts;
};
Unique unique(Session& session, const Array& array);

Array searchsorted(Session& session, const Array& sorted, const Array& values, bool right);
Array bincount(Session& session, const Array& array, const Array* weights, int64_t min_length);
// Counts per bin of increasing `edges`; the last bin includes its right edge.
Array histogram_counts(Session& session, const Array& array, const Array& edges,
                       const Array* weights);

}  // namespace gpy::rt
