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
// Puts each value at its offset in `target`, of equal offsets the last one; the offsets are from
// `least` on, and `span` numbers at most. As many values as offsets, of the target's dtype.
void put_last(Session& session, const Array& target, const Array& offsets, int64_t least,
              int64_t span, const Array& values);
// Tells for each element whether it is among those of the set.
Array isin(Session& session, const Array& array, const Array& set);

// Whether no element of an array with one axis is less than the one before, or nan; the answer is
// remembered where graph/facts.h allows that.
bool is_rising(Session& session, const Array& array);

Array searchsorted(Session& session, const Array& sorted, const Array& values, bool right);
// Linear interpolation of float64 at `x` between points of rising `knots`, which are not empty;
// beyond the ends `left` and `right`, or the values there.
Array interpolate(Session& session, const Array& x, const Array& knots, const Array& values,
                  std::optional<double> left, std::optional<double> right);
Array bincount(Session& session, const Array& array, const Array* weights, int64_t min_length);
// Counts per bin of increasing `edges`; the last bin includes its right edge.
Array histogram_counts(Session& session, const Array& array, const Array& edges,
                       const Array* weights);

// Gives for each element the number, in C order, of the last one that equals it. All are int64, at
// least `least` and less than `least` + `span`.
Array last_equal(Session& session, const Array& array, int64_t least, int64_t span);

}  // namespace gpy::rt
