#include "runtime/ops/sorting.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/cpu/algorithms/order.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write_access.h"
#include "runtime/memory/account.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/host_elements.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

namespace {

Array whole_or_flat(Session& session, const Array& array, std::optional<int64_t> axis) {
  return axis ? array.as_array() : ravel(session, array.as_array());
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

int64_t row_count(const Array& rows) {
  return rows.shape().back() == 0 ? 0 : rows.size() / rows.shape().back();
}

}  // namespace

Array sort(Session& session, const Array& array, std::optional<int64_t> axis) {
  const Array source = whole_or_flat(session, array, axis);
  if (source.rank() == 0) return copy(session, source);
  const int along = normalize_axis(axis.value_or(0), source.rank());
  const Array rows = axis_last(source, along);
  const HostElements elements(session, rows);
  const Charge scratch(2 * rows.bytes());
  std::vector<std::byte> sorted(elements.data(), elements.data() + rows.bytes());
  const InterruptScope scope(session.interrupt);
  sort_rows(rows.dtype(), sorted.data(), row_count(rows), rows.shape().back());
  return axis_back(from_host(session, rows.dtype(), rows.shape(), sorted.data(), array.space()),
                   along);
}

Array argsort(Session& session, const Array& array, std::optional<int64_t> axis) {
  const Array source = whole_or_flat(session, array, axis);
  if (source.rank() == 0) return full(session, {}, Scalar(false), DType::kInt64, array.space());
  const int along = normalize_axis(axis.value_or(0), source.rank());
  const Array rows = axis_last(source, along);
  const HostElements elements(session, rows);
  const Charge scratch(2 * rows.size() * sizeof(int64_t));
  std::vector<int64_t> order(rows.size());
  const InterruptScope scope(session.interrupt);
  argsort_rows(rows.dtype(), elements.data(), order.data(), row_count(rows), rows.shape().back());
  return axis_back(from_host(session, DType::kInt64, rows.shape(), order.data(), array.space()),
                   along);
}

Unique unique(Session& session, const Array& array) {
  const Array flat = ravel(session, array.as_array());
  const HostElements elements(session, flat);
  const int64_t count = flat.size(), item = flat.item_size();
  const Charge scratch(5 * count * sizeof(int64_t));
  std::vector<int64_t> order(count), first, inverse(count), counts;
  const InterruptScope scope(session.interrupt);
  argsort_rows(flat.dtype(), elements.data(), order.data(), 1, count);
  for_each_polled(count, [&](int64_t i) {
    const bool same = i > 0 && equal_elements(flat.dtype(), elements.data() + order[i - 1] * item,
                                              elements.data() + order[i] * item);
    if (!same) {
      first.push_back(order[i]);
      counts.push_back(0);
    }
    ++counts.back();
    inverse[order[i]] = static_cast<int64_t>(first.size()) - 1;
  });
  std::vector<std::byte> values(first.size() * item);
  for_each_polled(std::ssize(first), [&](int64_t i) {
    std::memcpy(&values[i * item], elements.data() + first[i] * item, item);
  });
  const Dims shape{static_cast<int64_t>(first.size())};
  const Space space = array.space();
  return {from_host(session, flat.dtype(), shape, values.data(), space),
          from_host(session, DType::kInt64, shape, first.data(), space),
          from_host(session, DType::kInt64, array.shape(), inverse.data(), space),
          from_host(session, DType::kInt64, shape, counts.data(), space)};
}

Array searchsorted(Session& session, const Array& sorted, const Array& values, bool right) {
  if (sorted.rank() != 1) {
    fail(ErrorKind::kValue, "object {} for desired array",
         sorted.rank() == 0 ? "of too small depth" : "too deep");
  }
  const Operand operands[] = {sorted, values};
  const DType dtype = result_type(operands);
  const Space space = common_space(operands, sorted.space());
  const HostElements edges(session,
                           astype(session, sorted.as_array(), dtype, Casting::kUnsafe, false));
  const HostElements wanted(session,
                            astype(session, values.as_array(), dtype, Casting::kUnsafe, false));
  const Charge scratch(values.size() * sizeof(int64_t));
  std::vector<int64_t> positions(values.size());
  const InterruptScope scope(session.interrupt);
  search_sorted(dtype, edges.data(), sorted.size(), wanted.data(), values.size(), right,
                positions.data());
  return from_host(session, DType::kInt64, values.shape(), positions.data(), space);
}

namespace {

void need_cast(const Array& array, DType to) {
  if (can_cast(array.dtype(), to, Casting::kSafe)) return;
  fail(ErrorKind::kType,
       "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule 'safe'",
       name(array.dtype()), name(to));
}

// `bins` numbers that `add` adds to, from zero. They may be many more than what is counted: so they
// are an array's memory from the start, whose lack is told as one's.
template <class T, class Add>
Array tally(Session& session, DType dtype, int64_t bins, Space space, Add&& add) {
  const Array sums = make_empty(session, dtype, Dims{bins}, Space::host());
  {
    const WriteAccess access(session, sums, kHostPlace);
    T* const first = reinterpret_cast<T*>(access.data());
    for_each_polled(bins, [&](int64_t i) { first[i] = T{0}; });
    add(first);
  }
  return to_space(session, sums, space);
}

}  // namespace

Array bincount(Session& session, const Array& array, const Array* weights, int64_t min_length) {
  if (array.rank() != 1) fail(ErrorKind::kValue, "object too deep for desired array");
  if (min_length < 0) fail(ErrorKind::kValue, "'minlength' must not be negative");
  if (array.dtype() != DType::kUInt64) need_cast(array, DType::kInt64);
  const HostElements elements(
      session, astype(session, array.as_array(), DType::kInt64, Casting::kUnsafe, false));
  const int64_t* values = elements.as<int64_t>();
  const int64_t count = array.size();
  int64_t bins = min_length;
  const InterruptScope scope(session.interrupt);
  for_each_polled(count, [&](int64_t i) {
    if (values[i] < 0) fail(ErrorKind::kValue, "'list' argument must have no negative elements");
    bins = std::max(bins, checked_sum(values[i], 1));
  });
  if (!weights) {
    return tally<int64_t>(session, DType::kInt64, bins, array.space(), [&](int64_t* counts) {
      for_each_polled(count, [&](int64_t i) { ++counts[values[i]]; });
    });
  }
  if (weights->size() != count)
    fail(ErrorKind::kValue, "The weights and list don't have the same length.");
  need_cast(*weights, DType::kFloat64);
  const HostElements heavy(
      session, astype(session, weights->as_array(), DType::kFloat64, Casting::kUnsafe, false));
  return tally<double>(session, DType::kFloat64, bins, array.space(), [&](double* sums) {
    for_each_polled(count, [&](int64_t i) { sums[values[i]] += heavy.as<double>()[i]; });
  });
}

Array histogram_counts(Session& session, const Array& array, const Array& edges,
                       const Array* weights) {
  const Array flat = ravel(session, array.as_array());
  const Operand operands[] = {flat, edges};
  const DType dtype = result_type(operands);
  const HostElements borders(session,
                             astype(session, edges.as_array(), dtype, Casting::kUnsafe, false));
  const HostElements elements(session, astype(session, flat, dtype, Casting::kUnsafe, false));
  const int64_t count = flat.size(), bins = std::max<int64_t>(edges.size() - 1, 0);
  const Charge scratch((2 * count + bins) * sizeof(int64_t));
  std::vector<int64_t> positions(count);
  const InterruptScope scope(session.interrupt);
  search_sorted(dtype, borders.data(), edges.size(), elements.data(), count, true,
                positions.data());
  // The right edge belongs to the last bin.
  std::vector<int64_t> at_left(count);
  search_sorted(dtype, borders.data(), edges.size(), elements.data(), count, false, at_left.data());
  auto bin_of = [&](int64_t i) -> int64_t {
    if (positions[i] == bins + 1) return at_left[i] <= bins ? bins - 1 : -1;
    return positions[i] - 1;
  };
  if (!weights) {
    std::vector<int64_t> counts(bins, 0);
    for_each_polled(count, [&](int64_t i) {
      if (const int64_t bin = bin_of(i); bin >= 0) ++counts[bin];
    });
    return from_host(session, DType::kInt64, Dims{bins}, counts.data(), array.space());
  }
  const HostElements heavy(session, astype(session, ravel(session, weights->as_array()),
                                           DType::kFloat64, Casting::kUnsafe, false));
  std::vector<double> sums(bins, 0.0);
  for_each_polled(count, [&](int64_t i) {
    if (const int64_t bin = bin_of(i); bin >= 0) sums[bin] += heavy.as<double>()[i];
  });
  return from_host(session, DType::kFloat64, Dims{bins}, sums.data(), array.space());
}

}  // namespace gpy::rt
