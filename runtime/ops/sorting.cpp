#include "runtime/ops/sorting.h"

#include <algorithm>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/write_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting_place.h"

namespace gpy::rt {

namespace {

Array whole_or_flat(Session& session, const Array& array, std::optional<int64_t> axis) {
  return axis ? array.as_array() : ravel(session, array.as_array());
}

Array as_type(Session& session, const Array& array, DType dtype) {
  return astype(session, array.as_array(), dtype, Casting::kUnsafe, false);
}

// The axis to work along moved last, so that rows lie one after another.
Array axis_last(const Array& array, int axis) {
  const int64_t from[] = {axis}, to[] = {array.rank() - 1};
  return move_axes(array, from, to);
}

Array axis_back(const Array& array, int axis) {
  const int64_t from[] = {array.rank() - 1}, to[] = {axis};
  return move_axes(array, from, to);
}

// Rows of an array's last axis.
Rows rows_of(const Array& array) {
  const int64_t length = array.shape().back();
  return {array.dtype(), length == 0 ? 0 : array.size() / length, length};
}

// The rows along an axis, made a new array of `dtype` by work(family, rows, from, to), which knows
// the machine's byte order only.
template <class T, class Work>
Array for_rows(Session& session, const Array& source, std::optional<int64_t> axis, DType dtype,
               Work&& work) {
  const int along = normalize_axis(axis.value_or(0), source.rank());
  const Array rows = axis_last(as_type(session, source, source.dtype().native()), along);
  const SortingPlace at(session, source.space());
  const PlacedElements elements(at, rows);
  const InterruptScope scope(session.interrupt);
  const Array result = at.make<T>(dtype.native(), rows.shape(), [&](T* to) {
    work(at.family(), rows_of(rows), elements.data(), to);
  });
  return axis_back(as_type(session, result, dtype), along);
}

void remember_permutation(const Array& order) {
  Facts facts(order);
  facts.remember_range({0, order.size() - 1});
  facts.remember_distinct();
}

Array only_position(Session& session, Space space) {
  return full(session, {}, Scalar(false), DType::kInt64, space);
}

// The places counted from the start of the row, each once, increasing.
std::vector<int64_t> places(std::span<const int64_t> kths, const Array& source,
                            std::optional<int64_t> axis) {
  const int64_t extent = source.shape()[normalize_axis(axis.value_or(0), source.rank())];
  std::vector<int64_t> places(kths.begin(), kths.end());
  for (int64_t& place : places) place += place < 0 ? extent : 0;
  std::ranges::sort(places);
  const auto rest = std::ranges::unique(places);
  places.erase(rest.begin(), rest.end());
  return places;
}

}  // namespace

Array sort(Session& session, const Array& array, std::optional<int64_t> axis) {
  const Array source = whole_or_flat(session, array, axis);
  if (source.rank() == 0) return copy(session, source);
  return for_rows<void>(session, source, axis, source.dtype(),
                        [](Sorting& sorting, const Rows& rows, const void* from, void* to) {
                          sorting.sort(rows, from, to);
                        });
}

Array argsort(Session& session, const Array& array, std::optional<int64_t> axis) {
  const Array source = whole_or_flat(session, array, axis);
  if (source.rank() == 0) return only_position(session, array.space());
  const Array order = for_rows<int64_t>(session, source, axis, DType::kInt64,
                                        [](Sorting& sorting, const Rows& rows, const void* from,
                                           int64_t* order) { sorting.argsort(rows, from, order); });
  if (source.rank() == 1 && source.size() > 0) remember_permutation(order);
  return order;
}

Array partition(Session& session, const Array& array, std::span<const int64_t> kths,
                std::optional<int64_t> axis) {
  const Array source = whole_or_flat(session, array, axis);
  if (source.rank() == 0) return copy(session, source);
  const std::vector<int64_t> at = places(kths, source, axis);
  return for_rows<void>(session, source, axis, source.dtype(),
                        [&](Sorting& sorting, const Rows& rows, const void* from, void* to) {
                          sorting.partition(rows, from, to, at);
                        });
}

Array argpartition(Session& session, const Array& array, std::span<const int64_t> kths,
                   std::optional<int64_t> axis) {
  const Array source = whole_or_flat(session, array, axis);
  if (source.rank() == 0) return only_position(session, array.space());
  const std::vector<int64_t> at = places(kths, source, axis);
  return for_rows<int64_t>(session, source, axis, DType::kInt64,
                           [&](Sorting& sorting, const Rows& rows, const void* from,
                               int64_t* order) { sorting.argpartition(rows, from, order, at); });
}

namespace {

// The flat array in its order: sorted alone, or by the positions that sort it where these are
// wanted too.
struct Sorted {
  Array elements, order;
};

Sorted sorted_flat(Session& session, const Array& flat, const UniqueParts& parts) {
  if (!parts.index && !parts.inverse) return {sort(session, flat, 0), {}};
  const Array order = argsort(session, flat, 0);
  return {take(session, flat, order, 0), order};
}

// The lengths of the runs that begin at `starts`.
Array run_lengths(Session& session, const Array& starts, int64_t count) {
  if (starts.size() == 0) return starts;
  const IndexItem later[] = {SliceIndex{1, {}, {}}};
  const Array end = full(session, {1}, Scalar::strong(count), DType::kInt64, starts.space());
  const Array both[] = {get_items(session, starts, later), end};
  return ops::subtract(session, concatenate(session, both, 0), starts);
}

}  // namespace

Unique unique(Session& session, const Array& array, const UniqueParts& parts) {
  const SortingPlace at(session, array.space());
  const Array native = as_type(session, array, array.dtype().native());
  const Array flat = to_space(session, ravel(session, native), at.space());
  const int64_t count = flat.size();
  const Sorted sorted = sorted_flat(session, flat, parts);
  Sorting& sorting = at.family();
  const PlacedElements elements(at, sorted.elements);
  const InterruptScope scope(session.interrupt);
  const Ref<Buffer> flags = at.scratch(count);
  auto* const firsts = static_cast<uint8_t*>(flags->data());
  sorting.mark_runs(flat.dtype(), elements.data(), count, firsts);
  const int64_t runs = sorting.count_set(firsts, count);
  const auto first_of_each = [&](DType dtype, const void* from) {
    return at.make(dtype, Dims{runs}, [&](void* to) {
      sorting.select_set(firsts, count, runs, from, item_size(dtype), to);
    });
  };
  Unique found;
  found.values = as_type(session, first_of_each(flat.dtype(), elements.data()), array.dtype());
  if (parts.counts) {
    const Array starts = at.make<int64_t>(DType::kInt64, Dims{runs}, [&](int64_t* to) {
      sorting.positions_set(firsts, count, runs, to);
    });
    found.counts = run_lengths(session, starts, count);
  }
  if (!sorted.order) return found;
  const PlacedElements order(at, sorted.order);
  if (parts.index) found.index = first_of_each(DType::kInt64, order.data());
  if (parts.inverse) {
    found.inverse = at.make<int64_t>(DType::kInt64, array.shape(), [&](int64_t* numbers) {
      sorting.number_runs(firsts, order.as<int64_t>(), count, numbers);
    });
  }
  return found;
}

// The type that elements of two arrays are compared in. bfloat16 has none in common with most of
// the others, and float32 holds all of its numbers.
static DType compared_type(const Array& a, const Array& b) {
  const DType x = a.dtype().native(), y = b.dtype().native();
  if (x == y) return x;
  const auto widened = [](DType type) { return is_numpys_own(type) ? type : DType::kFloat32; };
  return promote(widened(x), widened(y));
}

static Array shifted(const Array& array, int64_t first) {
  Layout layout = array.layout();
  layout.shape[0] -= 1;
  layout.offset += first * layout.strides[0];
  return array.with_layout(std::move(layout));
}

bool is_rising(Session& session, const Array& array) {
  if (array.size() < 2 || Facts(array).rising()) return true;
  const Ref<Value> looked_at = array.value();
  const Array steps = ops::less_equal(session, shifted(array, 0), shifted(array, 1));
  const bool rising = item(session, reduce(session, Fold::logical_and, steps, {})).truth();
  if (rising && array.value() == looked_at) Facts(array).remember_rising();
  return rising;
}

Array searchsorted(Session& session, const Array& sorted, const Array& values, bool right) {
  if (sorted.rank() != 1) {
    fail(ErrorKind::kValue, "object {} for desired array",
         sorted.rank() == 0 ? "of too small depth" : "too deep");
  }
  const Operand operands[] = {sorted, values};
  const DType dtype = compared_type(sorted, values);
  const SortingPlace at(session, common_space(operands, sorted.space()));
  const PlacedElements edges(at, as_type(session, sorted, dtype));
  const PlacedElements wanted(at, as_type(session, values, dtype));
  const InterruptScope scope(session.interrupt);
  return at.make<int64_t>(DType::kInt64, values.shape(), [&](int64_t* positions) {
    at.family().search(dtype, edges.data(), sorted.size(), wanted.data(), values.size(),
                       right ? Side::kRight : Side::kLeft, positions);
  });
}

Array interpolate(Session& session, const Array& x, const Array& knots, const Array& values,
                  std::optional<double> left, std::optional<double> right) {
  const Operand operands[] = {x, knots, values};
  const SortingPlace at(session, common_space(operands, x.space()));
  const PlacedElements given(at, x), points(at, knots), heights(at, values);
  const Knots all{.x = points.as<double>(),
                  .f = heights.as<double>(),
                  .count = knots.size(),
                  .has_left = left.has_value(),
                  .has_right = right.has_value(),
                  .left = left.value_or(0),
                  .right = right.value_or(0)};
  const InterruptScope scope(session.interrupt);
  return at.make<double>(DType::kFloat64, x.shape(), [&](double* to) {
    at.family().interpolate(all, given.as<double>(), x.size(), to);
  });
}

Array isin(Session& session, const Array& array, const Array& set) {
  const Operand operands[] = {array, set};
  const DType dtype = compared_type(array, set);
  const SortingPlace at(session, common_space(operands, array.space()));
  const PlacedElements elements(at, as_type(session, set, dtype));
  const PlacedElements wanted(at, as_type(session, array, dtype));
  const InterruptScope scope(session.interrupt);
  return at.make<bool>(DType::kBool, array.shape(), [&](bool* found) {
    at.family().contains(dtype, elements.data(), set.size(), wanted.data(), array.size(), found);
  });
}

namespace {

void need_cast(const Array& array, DType to) {
  if (can_cast(array.dtype(), to, Casting::kSafe)) return;
  fail(ErrorKind::kType,
       "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule 'safe'",
       name(array.dtype()), name(to));
}

// The `bins` bins that fill(tally) writes: counts, or sums of weights.
template <class Fill>
Array tallied(const SortingPlace& at, int64_t bins, const Array* weights, Fill&& fill) {
  if (!weights) {
    return at.make(DType::kInt64, Dims{bins}, [&](void* totals) { fill(Tally{nullptr, totals}); });
  }
  const PlacedElements heavy(at, as_type(at.session(), *weights, DType::kFloat64));
  return at.make(DType::kFloat64, Dims{bins}, [&](void* totals) {
    fill(Tally{heavy.as<double>(), totals});
  });
}

}  // namespace

Array bincount(Session& session, const Array& array, const Array* weights, int64_t min_length) {
  if (array.rank() != 1) fail(ErrorKind::kValue, "object too deep for desired array");
  if (min_length < 0) fail(ErrorKind::kValue, "'minlength' must not be negative");
  if (array.dtype().native() != DType::kUInt64) need_cast(array, DType::kInt64);
  const SortingPlace at(session, array.space());
  const PlacedElements elements(at, as_type(session, array, DType::kInt64));
  const int64_t* values = elements.as<int64_t>();
  const int64_t count = array.size();
  int64_t bins = min_length;
  const InterruptScope scope(session.interrupt);
  const auto known = Facts(array).range();
  const bool fits = known && known->first >= 0 && known->second < bins;
  if (count > 0 && !fits) {
    const Extremes found = at.family().extremes(values, count);
    if (found.least < 0) {
      fail(ErrorKind::kValue, "'list' argument must have no negative elements");
    }
    bins = std::max(bins, checked_sum(found.greatest, 1));
  }
  if (weights) {
    if (weights->size() != count)
      fail(ErrorKind::kValue, "The weights and list don't have the same length.");
    need_cast(*weights, DType::kFloat64);
  }
  return tallied(at, bins, weights,
                 [&](const Tally& tally) { at.family().count_values(values, count, bins, tally); });
}

Array histogram_counts(Session& session, const Array& array, const Array& edges,
                       const Array* weights) {
  const Operand operands[] = {array, edges};
  const DType dtype = result_type(operands);
  const SortingPlace at(session, array.space());
  const PlacedElements borders(at, as_type(session, edges, dtype));
  const PlacedElements elements(at, as_type(session, array, dtype));
  const int64_t bins = std::max<int64_t>(edges.size() - 1, 0);
  const InterruptScope scope(session.interrupt);
  return tallied(at, bins, weights, [&](const Tally& tally) {
    if (bins == 0) return;
    at.family().count_between(dtype, elements.data(), array.size(), borders.data(), bins, tally);
  });
}

static Array from_0(Session& session, const Array& offsets, int64_t least) {
  if (least == 0) return offsets;
  return ops::subtract(session, offsets, Scalar::of(DType::kInt64, least));
}

void put_last(Session& session, const Array& target, const Array& offsets, int64_t least,
              int64_t span, const Array& values) {
  const SortingPlace at(session, target.space());
  const auto apart = [&](const Array& array) {
    return &array.storage() == &target.storage() ? copy(session, array) : array;
  };
  const PlacedElements positions(at, apart(from_0(session, offsets, least)));
  const PlacedElements given(at, apart(values));
  const InterruptScope scope(session.interrupt);
  const WriteAccess access(session, target, at.place());
  const auto size = static_cast<int64_t>(item_size(target.dtype()));
  at.family().put_last(positions.as<int64_t>(), offsets.size(), span, given.data(), size,
                       access.data() + least * size);
}

Array last_equal(Session& session, const Array& array, int64_t least, int64_t span) {
  const SortingPlace at(session, array.space());
  const PlacedElements positions(at, to_space(session, from_0(session, array, least), at.space()));
  const InterruptScope scope(session.interrupt);
  return at.make<int64_t>(DType::kInt64, array.shape(), [&](int64_t* numbers) {
    at.family().last_equal(positions.as<int64_t>(), array.size(), span, numbers);
  });
}

}  // namespace gpy::rt
