#pragma once

// Order and counting, by the sort family (sorting/sorting.h). Where a GPU has none these go through
// the host, counted in SessionCounters::host_copies.

#include <optional>
#include <span>

#include "runtime/session.h"

namespace gpy::rt {

Array sort(Session& session, const Array& array, std::optional<int64_t> axis);  // stable, NaN last
Array argsort(Session& session, const Array& array, std::optional<int64_t> axis);  // stable, int64

// Negative places count from the end; all must be in range.
Array partition(Session& session, const Array& array, std::span<const int64_t> kths,
                std::optional<int64_t> axis);
Array argpartition(Session& session, const Array& array, std::span<const int64_t> kths,
                   std::optional<int64_t> axis);

// The results wanted beside the values.
struct UniqueParts {
  bool index = false, inverse = false, counts = false;
};
struct Unique {
  Array values, index, inverse, counts;
};
Unique unique(Session& session, const Array& array, const UniqueParts& parts);
// Tells for each element whether it is among those of the set.
Array isin(Session& session, const Array& array, const Array& set);

Array searchsorted(Session& session, const Array& sorted, const Array& values, bool right);
Array bincount(Session& session, const Array& array, const Array* weights, int64_t min_length);
// Counts per bin of increasing `edges`; the last bin includes its right edge.
Array histogram_counts(Session& session, const Array& array, const Array& edges,
                       const Array* weights);

// Gives for each element the number, in C order, of the last one that equals it. All are int64, at
// least `least` and less than `least` + `span`.
Array last_equal(Session& session, const Array& array, int64_t least, int64_t span);

}  // namespace gpy::rt
