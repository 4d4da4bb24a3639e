#include "runtime/ops/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <iterator>
#include <numeric>
#include <string>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/sorting_place.h"

namespace gpy::rt {

namespace {

// A shape that was asked for, as NumPy's message has it: a leading -1 is left out, another one
// named.
std::string asked_text(std::span<const int64_t> shape) {
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0 && text.empty()) continue;
    if (!text.empty()) text += ',';
    text += shape[i] < 0 ? "newaxis" : std::to_string(shape[i]);
  }
  return fmt::format("({}{})", text, shape.size() == 1 ? "," : "");
}

// Replaces one -1 by what the element count leaves over.
Dims complete_shape(const Array& array, std::span<const int64_t> shape) {
  const int64_t count = array.size();
  Dims out(shape);
  int64_t known = 1;
  bool fits = true;
  int unknown = -1;
  for (int i = 0; i < out.size(); ++i) {
    if (out[i] == -1 && unknown < 0) {
      unknown = i;
    } else if (out[i] < 0) {
      fail(ErrorKind::kValue, "{}",
           out[i] == -1 ? "can only specify one unknown dimension"
                        : "negative dimensions not allowed");
    } else {
      fits &= !__builtin_mul_overflow(known, out[i], &known);
    }
  }
  fits = fits && (unknown < 0 ? known == count : known > 0 && count % known == 0);
  if (!fits) {
    fail(ErrorKind::kValue, "cannot reshape array of size {} into shape {}", count,
         asked_text(shape));
  }
  if (unknown >= 0) out[unknown] = count / known;
  element_count(out, array.item_size());  // of nothing, the other extents may be too big
  return out;
}

Layout permuted(const Layout& layout, std::span<const int64_t> order) {
  Layout out{layout.dtype, Dims(layout.rank(), 0), Dims(layout.rank(), 0), layout.offset};
  for (int i = 0; i < layout.rank(); ++i) {
    out.shape[i] = layout.shape[order[i]];
    out.strides[i] = layout.strides[order[i]];
  }
  return out;
}

std::bitset<kMaxRank> axis_set(std::span<const int64_t> axes, int rank, const char* repeated) {
  std::bitset<kMaxRank> set;
  for (int64_t axis : axes) {
    const int at = normalize_axis(axis, rank);
    if (set[at]) fail(ErrorKind::kValue, "{}", repeated);
    set.set(at);
  }
  return set;
}

char resolve_order(const Array& array, char order) {
  if (order == 'K') order = 'A';
  if (order != 'A') return order;
  return is_f_contiguous(array.layout()) && !is_c_contiguous(array.layout()) ? 'F' : 'C';
}

Dims reversed(std::span<const int64_t> values) {
  Dims out(values);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

Array reshape(Session& session, const Array& array, std::span<const int64_t> shape, char order) {
  const Dims full = complete_shape(array, shape);
  if (resolve_order(array, order) == 'F') {
    return transpose(reshape(session, transpose(array), reversed(full), 'C'));
  }
  std::optional<Dims> strides = try_reshape(array.layout(), full);
  if (strides || array.size() == 0) {
    if (!strides) strides = c_strides(full, array.item_size());
    return array.with_layout({array.dtype(), full, *strides, array.offset()});
  }
  const Array dense = copy(session, array, 'C');
  return dense.with_layout({array.dtype(), full, c_strides(full, array.item_size()), 0});
}

Array reshape_in_place(const Array& array, std::span<const int64_t> shape) {
  const Dims full = complete_shape(array, shape);
  std::optional<Dims> strides = try_reshape(array.layout(), full);
  if (!strides) {
    fail(ErrorKind::kValue,
         "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the "
         "desired shape.");
  }
  return array.with_layout({array.dtype(), full, *strides, array.offset()});
}

// The array with the longest strides first: C order then is the order in memory.
static Array in_memory_order(const Array& array) {
  std::vector<int64_t> axes(static_cast<size_t>(array.rank()));
  std::iota(axes.begin(), axes.end(), 0);
  std::stable_sort(axes.begin(), axes.end(), [&](int64_t a, int64_t b) {
    return std::abs(array.strides()[a]) > std::abs(array.strides()[b]);
  });
  return transpose(array, axes);
}

Array ravel(Session& session, const Array& array, char order) {
  if (order == 'K') return ravel(session, in_memory_order(array), 'C');
  const int64_t flat[] = {array.size()};
  return reshape(session, array, flat, order);
}

Array flatten(Session& session, const Array& array, char order) {
  if (order == 'K') return flatten(session, in_memory_order(array), 'C');
  const char resolved = resolve_order(array, order);
  return ravel(session, copy(session, array, resolved), resolved);
}

Array transpose(const Array& array) {
  return array.with_layout(
      {array.dtype(), reversed(array.shape()), reversed(array.strides()), array.offset()});
}

Array transpose(const Array& array, std::span<const int64_t> axes) {
  const int rank = array.rank();
  if (static_cast<int>(axes.size()) != rank) fail(ErrorKind::kValue, "axes don't match array");
  axis_set(axes, rank, "repeated axis in transpose");
  Dims order(axes);
  for (int64_t& axis : order) axis = normalize_axis(axis, rank);
  return array.with_layout(permuted(array.layout(), order));
}

Array swap_axes(const Array& array, int64_t a, int64_t b) {
  Dims order(array.rank(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[normalize_axis(a, array.rank())], order[normalize_axis(b, array.rank())]);
  return array.with_layout(permuted(array.layout(), order));
}

Array move_axes(const Array& array, std::span<const int64_t> from, std::span<const int64_t> to) {
  const int rank = array.rank();
  if (from.size() != to.size()) {
    fail(ErrorKind::kValue,
         "`source` and `destination` arguments must have the same number of elements");
  }
  const auto moved = axis_set(from, rank, "repeated axis in `source` argument");
  axis_set(to, rank, "repeated axis in `destination` argument");
  Dims order(rank, -1);
  for (size_t i = 0; i < from.size(); ++i) {
    order[normalize_axis(to[i], rank)] = normalize_axis(from[i], rank);
  }
  int next = 0;
  for (int64_t& axis : order) {
    if (axis >= 0) continue;
    while (moved[next]) ++next;
    axis = next++;
  }
  return array.with_layout(permuted(array.layout(), order));
}

namespace {

Array drop_axes(const Array& array, const std::bitset<kMaxRank>& dropped) {
  Layout out{array.dtype(), {}, {}, array.offset()};
  for (int i = 0; i < array.rank(); ++i) {
    if (dropped[i]) continue;
    out.shape.push_back(array.shape()[i]);
    out.strides.push_back(array.strides()[i]);
  }
  return array.with_layout(std::move(out));
}

}  // namespace

Array squeeze(const Array& array) {
  std::bitset<kMaxRank> ones;
  for (int i = 0; i < array.rank(); ++i) ones[i] = array.shape()[i] == 1;
  return drop_axes(array, ones);
}

Array squeeze(const Array& array, std::span<const int64_t> axes) {
  const auto dropped = axis_set(axes, array.rank(), "duplicate value in 'axis'");
  for (int i = 0; i < array.rank(); ++i) {
    if (dropped[i] && array.shape()[i] != 1) {
      fail(ErrorKind::kValue,
           "cannot select an axis to squeeze out which has size not equal to one");
    }
  }
  return drop_axes(array, dropped);
}

Array expand_dims(const Array& array, std::span<const int64_t> axes) {
  const int rank = array.rank() + static_cast<int>(axes.size());
  if (rank > kMaxRank) fail_rank(rank);
  const auto added = axis_set(axes, rank, "repeated axis");
  Layout out{array.dtype(), {}, {}, array.offset()};
  for (int i = 0, from = 0; i < rank; ++i) {
    out.shape.push_back(added[i] ? 1 : array.shape()[from]);
    out.strides.push_back(added[i] ? 0 : array.strides()[from]);
    from += added[i] ? 0 : 1;
  }
  return array.with_layout(std::move(out));
}

Array broadcast_to(const Array& array, std::span<const int64_t> shape) {
  for (int64_t extent : shape) {
    if (extent < 0) fail(ErrorKind::kValue, "all elements of broadcast shape must be non-negative");
  }
  if (array.rank() > static_cast<int>(shape.size())) {
    fail(ErrorKind::kValue, "input operand has more dimensions than allowed by the axis remapping");
  }
  element_count(shape, array.item_size());
  std::optional<Layout> layout = try_broadcast(array.layout(), shape);
  if (!layout) {
    fail(ErrorKind::kValue,
         "operands could not be broadcast together with remapped shapes [original->remapped]: {} "
         "and "
         "requested shape {}",
         shape_text(array.shape()) + " ", shape_text(shape));
  }
  return array.with_layout(std::move(*layout)).read_only();
}

Array flip(const Array& array, std::span<const int64_t> axes) {
  Layout out = array.layout();
  const auto flipped = axis_set(axes, array.rank(), "repeated axis");
  for (int i = 0; i < array.rank(); ++i) {
    if (!flipped[i]) continue;
    out.offset += std::max<int64_t>(out.shape[i] - 1, 0) * out.strides[i];
    out.strides[i] = -out.strides[i];
  }
  return array.with_layout(std::move(out));
}

Array diagonal(const Array& array, int64_t offset, int64_t axis1, int64_t axis2) {
  if (array.rank() < 2)
    fail(ErrorKind::kValue, "diag requires an array of at least two dimensions");
  const int a = normalize_axis(axis1, array.rank());
  const int b = normalize_axis(axis2, array.rank());
  if (a == b) fail(ErrorKind::kValue, "axis1 and axis2 cannot be the same");
  offset = std::clamp(offset, -array.shape()[a], array.shape()[b]);
  std::bitset<kMaxRank> dropped;
  dropped.set(a).set(b);
  Layout out = drop_axes(array, dropped).layout();
  const int64_t rows = array.shape()[a] - std::max<int64_t>(-offset, 0);
  const int64_t cols = array.shape()[b] - std::max<int64_t>(offset, 0);
  const int64_t count = std::max<int64_t>(std::min(rows, cols), 0);
  if (count > 0) {
    out.offset += offset >= 0 ? offset * array.strides()[b] : -offset * array.strides()[a];
  }
  out.shape.push_back(count);
  out.strides.push_back(array.strides()[a] + array.strides()[b]);
  return array.with_layout(std::move(out)).read_only();
}

namespace {

// Plans count strides in elements, and a GPU reads no element that starts between two.
void check_starts(Session& session, const Layout& layout, Space space) {
  const int64_t item = layout.item_size();
  bool between = session.place_of(space) != kHostPlace && layout.offset % item != 0;
  for (int axis = 0; axis < layout.rank(); ++axis) {
    between |= layout.shape[axis] > 1 && layout.strides[axis] % item != 0;
  }
  if (between) {
    fail(ErrorKind::kNotImplemented,
         "a view as {} whose elements do not start at multiples of {} bytes is not supported; view "
         "a copy of the array",
         name(layout.dtype), item);
  }
}

// True where two indices may lead to the same byte: an axis that steps less than those within it
// span.
bool may_overlap(const Layout& layout) {
  std::vector<std::pair<int64_t, int64_t>> axes;  // |stride|, extent
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (layout.shape[axis] > 1)
      axes.emplace_back(std::abs(layout.strides[axis]), layout.shape[axis]);
  }
  std::ranges::sort(axes);
  int64_t span = layout.item_size();
  for (const auto& [stride, extent] : axes) {
    if (stride < span) return true;
    span += stride * (extent - 1);
  }
  return false;
}

}  // namespace

Array view_memory(Session& session, const Array& array, Layout layout) {
  check_starts(session, layout, array.space());
  const bool overlaps = may_overlap(layout);
  const Array view = array.with_layout(std::move(layout));
  return overlaps ? view.read_only() : view;
}

Array view_as(Session& session, const Array& array, DType dtype) {
  const int64_t from = array.item_size();
  const int64_t to = item_size(dtype);
  Layout out = array.layout();
  out.dtype = dtype;
  if (from == to) return array.with_layout(std::move(out));
  if (array.rank() == 0) {
    fail(ErrorKind::kValue,
         "Changing the dtype of a 0d array is only supported if the itemsize is unchanged");
  }
  const int last = array.rank() - 1;
  if (array.shape()[last] != 1 && array.strides()[last] != from && array.size() > 0) {
    fail(ErrorKind::kValue,
         "To change to a dtype of a different size, the last axis must be contiguous");
  }
  const int64_t bytes = array.shape()[last] * from;
  if (bytes % to != 0) {
    fail(
        ErrorKind::kValue,
        "When changing to a larger dtype, its size must be a divisor of the total size in bytes of "
        "the last axis of the array.");
  }
  out.shape[last] = bytes / to;
  out.strides[last] = to;
  check_starts(session, out, array.space());
  return array.with_layout(std::move(out));
}

namespace {

Array part(const Array& array, int64_t which) {
  Layout out = array.layout();
  out.dtype = real_type(array.dtype());
  out.offset += which * rt::item_size(out.dtype);
  return array.with_layout(std::move(out));
}

}  // namespace

Array real_part(const Array& array) { return is_complex(array.dtype()) ? part(array, 0) : array; }

Array imag_part(Session& session, const Array& array) {
  if (is_complex(array.dtype())) return part(array, 1);
  return full(session, array.shape(), Scalar(false), array.dtype(), array.space()).read_only();
}

namespace {

void check_joinable(std::span<const Array> arrays, int axis) {
  const Array& first = arrays[0];
  for (size_t i = 1; i < arrays.size(); ++i) {
    if (arrays[i].rank() != first.rank()) {
      fail(ErrorKind::kValue,
           "all the input array dimensions except for the concatenation axis must match exactly, "
           "but "
           "along dimension {}, the array at index 0 has {} dimension(s) and the array at index {} "
           "has {} dimension(s)",
           axis, first.rank(), i, arrays[i].rank());
    }
    for (int d = 0; d < first.rank(); ++d) {
      if (d == axis || arrays[i].shape()[d] == first.shape()[d]) continue;
      fail(ErrorKind::kValue,
           "all the input array dimensions except for the concatenation axis must match exactly, "
           "but "
           "along dimension {}, the array at index 0 has size {} and the array at index {} has "
           "size {}",
           d, first.shape()[d], i, arrays[i].shape()[d]);
    }
  }
}

}  // namespace

Array concatenate(Session& session, std::span<const Array> arrays, int64_t axis,
                  std::optional<DType> dtype) {
  if (arrays.empty()) fail(ErrorKind::kValue, "need at least one array to concatenate");
  if (arrays[0].rank() == 0)
    fail(ErrorKind::kValue, "zero-dimensional arrays cannot be concatenated");
  for (size_t i = 1; i < arrays.size(); ++i) {
    if (arrays[i].rank() == arrays[0].rank()) continue;
    fail(
        ErrorKind::kValue,
        "all the input arrays must have same number of dimensions, but the array at index 0 has {} "
        "dimension(s) and the array at index {} has {} dimension(s)",
        arrays[0].rank(), i, arrays[i].rank());
  }
  const int at = normalize_axis(axis, arrays[0].rank());
  const InterruptScope scope(session.interrupt);
  check_joinable(arrays, at);
  std::vector<Operand> operands;
  operands.reserve(arrays.size());
  for (const Array& array : arrays) {
    poll_interrupt();
    operands.emplace_back(array);
  }
  Dims shape = arrays[0].shape();
  shape[at] = 0;
  for (const Array& array : arrays) shape[at] = checked_sum(shape[at], array.shape()[at]);
  const Array out = make_empty(session, dtype ? *dtype : result_type(operands), shape,
                               common_space(operands, arrays[0].space()));
  Layout part = out.layout();
  for (const Array& array : arrays) {
    poll_interrupt();
    part.shape[at] = array.shape()[at];
    if (array.size() > 0) write(session, out.with_layout(part), array);
    part.offset += part.shape[at] * part.strides[at];
  }
  return out;
}

Array stack(Session& session, std::span<const Array> arrays, int64_t axis) {
  if (arrays.empty()) fail(ErrorKind::kValue, "need at least one array to stack");
  std::vector<Array> expanded;
  const int64_t at[] = {normalize_axis(axis, arrays[0].rank() + 1)};
  for (const Array& array : arrays) {
    if (!(array.shape() == arrays[0].shape())) {
      fail(ErrorKind::kValue, "all input arrays must have the same shape");
    }
    expanded.push_back(expand_dims(array, at));
  }
  return concatenate(session, expanded, at[0]);
}

std::vector<Array> split(const Array& array, std::span<const int64_t> at, int64_t axis) {
  const int along = normalize_axis(axis, array.rank());
  const int64_t extent = array.shape()[along];
  std::vector<Array> parts;
  auto clamp = [extent](int64_t border) {
    if (border < 0) border += extent;
    return std::clamp<int64_t>(border, 0, extent);
  };
  int64_t start = 0;
  for (size_t i = 0; i <= at.size(); ++i) {
    poll_interrupt();
    const int64_t stop = i < at.size() ? clamp(at[i]) : extent;
    Layout part = array.layout();
    part.offset += start * part.strides[along];
    part.shape[along] = std::max<int64_t>(stop - start, 0);
    parts.push_back(array.with_layout(std::move(part)));
    start = stop;
  }
  return parts;
}

Array roll(Session& session, const Array& array, int64_t shift, int64_t axis) {
  const int along = normalize_axis(axis, array.rank());
  const int64_t extent = array.shape()[along];
  if (extent == 0) return copy(session, array);
  const int64_t border[] = {extent - ((shift % extent) + extent) % extent};
  const std::vector<Array> parts = split(array, border, along);
  const Array swapped[] = {parts[1], parts[0]};
  return concatenate(session, swapped, along, array.dtype());
}

static void push_axis(Layout& layout, int64_t extent, int64_t stride) {
  layout.shape.push_back(extent);
  layout.strides.push_back(stride);
}

Array tile(Session& session, const Array& array, std::span<const int64_t> repeats) {
  // (r0, n0, r1, n1, ...): a broadcast view, copied once. Axes of one element are left out, so that
  // no more are left than fit.
  const int rank = std::max<int>(array.rank(), static_cast<int>(repeats.size()));
  Layout seen{array.dtype(), {}, {}, array.offset()};
  Dims shape;
  for (int i = 0; i < rank; ++i) {
    const int from = i - (rank - array.rank());
    const int by = i - (rank - static_cast<int>(repeats.size()));
    const int64_t extent = from >= 0 ? array.shape()[from] : 1;
    const int64_t times = by >= 0 ? repeats[by] : 1;
    if (times < 0) fail(ErrorKind::kValue, "negative dimensions are not allowed");
    if (times > 1) push_axis(seen, times, 0);
    if (extent > 1) push_axis(seen, extent, array.strides()[from]);
    shape.push_back(checked_product(times, extent));
  }
  if (element_count(shape, array.item_size()) == 0) {
    return make_empty(session, array.dtype(), shape, array.space());
  }
  const Dims order = c_strides(seen.shape, array.item_size());
  NodeInput input = make_input(array, array.shape());
  input.layout = seen;
  const Array copied = make_cast(session, input, array.dtype(), seen.shape, array.space(), &order);
  return copied.with_layout({array.dtype(), shape, c_strides(shape, array.item_size()), 0});
}

namespace {

int64_t repeated_count(std::span<const int64_t> counts, int64_t extent) {
  int64_t total = 0;
  for_each_polled(std::ssize(counts), [&](int64_t i) {
    if (counts[i] < 0) {
      fail(ErrorKind::kValue, "{}",
           counts.size() == 1 ? "negative dimensions are not allowed"
                              : "repeats may not contain negative values.");
    }
    total = checked_sum(total, counts[i]);
  });
  return counts.size() == 1 ? checked_product(total, extent) : total;
}

// 0 0 0 1 1 1 2 2 2 ...
Array evenly_repeated(Session& session, int64_t total, int64_t times) {
  const Array counted = iota(session, Dims{total}, Space::host());
  if (times <= 1) return counted;
  return ops::floor_divide(session, counted, Scalar::of(DType::kInt64, times));
}

Array unevenly_repeated(Session& session, int64_t total, std::span<const int64_t> counts) {
  const Array index = make_empty(session, DType::kInt64, Dims{total}, Space::host());
  const WriteAccess access(session, index, kHostPlace);
  auto* to = reinterpret_cast<int64_t*>(access.data());
  for_each_polled(std::ssize(counts), [&](int64_t i) {
    for_each_polled(counts[i], [&](int64_t at) { to[at] = i; });
    to += counts[i];
  });
  return index;
}

}  // namespace

namespace {

// Repeats the items of the axis, each with all axes behind, for each index of the axes before.
Array repeat_by_family(Session& session, const Array& array, std::span<const int64_t> counts,
                       int axis, const Dims& shape) {
  const SortingPlace at(session, array.space());
  const PlacedElements elements(at, array);
  int64_t places = 1, size = array.item_size();
  for (int i = 0; i < axis; ++i) places *= shape[i];
  for (int i = axis + 1; i < array.rank(); ++i) size *= shape[i];
  int64_t count = array.shape()[axis];
  if (counts.size() == 1) count *= std::exchange(places, 1);
  return at.make<std::byte>(array.dtype(), shape, [&](std::byte* to) {
    if (size == 0 || count == 0) return;
    for (int64_t place = 0; place < places; ++place) {
      at.family().repeat(elements.data() + place * count * size, count, size, counts,
                         to + place * shape[axis] * size);
    }
  });
}

}  // namespace

Array repeat(Session& session, const Array& array, std::span<const int64_t> counts, int64_t axis) {
  const int along = normalize_axis(axis, array.rank());
  const int64_t extent = array.shape()[along];
  if (counts.size() != 1 && static_cast<int64_t>(counts.size()) != extent) {
    fail(ErrorKind::kValue, "operands could not be broadcast together with shape ({},) ({},)",
         extent, counts.size());
  }
  const InterruptScope scope(session.interrupt);
  const int64_t total = repeated_count(counts, extent);
  Dims shape = array.shape();
  shape[along] = total;
  element_count(shape, array.item_size());
  if (session.backend_of(array.space()).sorting()) {
    return repeat_by_family(session, array.as_array(), counts, along, shape);
  }
  const Array index = counts.size() == 1 ? evenly_repeated(session, total, counts[0])
                                         : unevenly_repeated(session, total, counts);
  if (total > 0) Facts(index).remember_range({0, extent - 1});
  return take(session, array, to_space(session, index, array.space()), along);
}

}  // namespace gpy::rt
