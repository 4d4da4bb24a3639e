#include "runtime/ops/index_plan.h"

#include <algorithm>
#include <limits>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/integer_range.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

SliceRange slice_range(const SliceIndex& slice, int64_t extent) {
  SliceRange out;
  out.step = std::max(slice.step.value_or(1), -std::numeric_limits<int64_t>::max());
  if (out.step == 0) fail(ErrorKind::kValue, "slice step cannot be zero");
  const bool back = out.step < 0;
  const int64_t low = back ? -1 : 0;
  const int64_t high = back ? extent - 1 : extent;
  auto clamp = [&](std::optional<int64_t> at, int64_t otherwise) {
    if (!at) return otherwise;
    return std::clamp(*at < 0 ? *at + extent : *at, low, high);
  };
  out.start = clamp(slice.start, back ? high : low);
  const int64_t stop = clamp(slice.stop, back ? low : high);
  const int64_t span = back ? out.start - stop : stop - out.start;
  const int64_t step = back ? -out.step : out.step;
  out.count = span > 0 ? (span - 1) / step + 1 : 0;
  return out;
}

namespace {

// One axis of the result of the non-array items, or one consumed by an index array.
struct Walker {
  explicit Walker(const Array& array) : array(array), out{array.dtype(), {}, {}, array.offset()} {}

  const Array& array;
  Layout out;
  int axis = 0;

  int64_t extent() const { return array.shape()[axis]; }

  void integer(int64_t at) {
    if (at < -extent() || at >= extent()) {
      fail(ErrorKind::kIndex, "index {} is out of bounds for axis {} with size {}", at, axis,
           extent());
    }
    out.offset += (at < 0 ? at + extent() : at) * array.strides()[axis];
    ++axis;
  }
  void slice(const SliceIndex& slice) {
    const SliceRange range = slice_range(slice, extent());
    if (range.count > 0) out.offset += range.start * array.strides()[axis];
    int64_t stride = 0;  // of a step too long for any second element: never walked
    if (__builtin_mul_overflow(range.step, array.strides()[axis], &stride)) stride = 0;
    push(range.count, stride);
    ++axis;
  }
  void whole(int count) {
    for (int i = 0; i < count; ++i, ++axis) push(extent(), array.strides()[axis]);
  }
  void push(int64_t extent, int64_t stride) {
    out.shape.push_back(extent);
    out.strides.push_back(stride);
  }
};

// Axes of the array that an item uses up.
int consumed(const IndexItem& item) {
  if (std::holds_alternative<NewAxis>(item) || std::holds_alternative<EllipsisIndex>(item))
    return 0;
  const Array* array = std::get_if<Array>(&item);
  return array && array->dtype() == DType::kBool ? array->rank() : 1;
}

// Counts the axes of the array that the items use up; checks that they, and those of the result,
// are not too many.
int count_axes(const Array& array, std::span<const IndexItem> items) {
  int axes = 0, ellipses = 0, kept = 0, of_arrays = 0;
  for (const IndexItem& item : items) {
    axes += consumed(item);
    ellipses += std::holds_alternative<EllipsisIndex>(item);
    kept += std::holds_alternative<NewAxis>(item) || std::holds_alternative<SliceIndex>(item);
    if (const auto* index = std::get_if<Array>(&item)) {
      of_arrays = std::max(of_arrays, index->dtype() == DType::kBool ? 1 : index->rank());
    }
  }
  if (ellipses > 1) {
    fail(ErrorKind::kIndex, "an index can only have a single ellipsis ('...')");
  }
  if (axes > array.rank()) {
    fail(ErrorKind::kIndex,
         "too many indices for array: array is {}-dimensional, but {} were indexed", array.rank(),
         axes);
  }
  const int rank = array.rank() - axes + kept + of_arrays;
  if (rank > kMaxRank) {
    fail(ErrorKind::kIndex,
         "number of dimensions must be within [0, {}], indexing result would have {}", kMaxRank,
         rank);
  }
  return axes;
}

}  // namespace

Array basic_view(const Array& array, std::span<const IndexItem> items) {
  const int rest = array.rank() - count_axes(array, items);
  Walker walker(array);
  bool seen_ellipsis = false;
  for (const IndexItem& item : items) {
    if (const auto* at = std::get_if<int64_t>(&item)) {
      walker.integer(*at);
    } else if (const auto* slice = std::get_if<SliceIndex>(&item)) {
      walker.slice(*slice);
    } else if (std::holds_alternative<NewAxis>(item)) {
      walker.push(1, 0);
    } else {
      walker.whole(rest);
      seen_ellipsis = true;
    }
  }
  if (!seen_ellipsis) walker.whole(rest);
  return array.with_layout(std::move(walker.out));
}

namespace {

struct ArrayIndex {
  Array index;
  int axis;      // of the indexed array
  int position;  // among the items, to tell whether arrays stand side by side
};

// The first index in C order that an axis does not have.
std::optional<int64_t> first_outside(Session& session, const Array& index, int64_t extent) {
  const Array row = ravel(session, index);
  const Array low = ops::less(session, row, Scalar::weak(-extent));
  const Array high = ops::greater_equal(session, row, Scalar::weak(extent));
  const Array outside = ops::logical_or(session, low, high);
  const int64_t at =
      rt::item(session, arg_reduce(session, Fold::argmax, outside, std::nullopt, false)).as_int();
  const IndexItem there[] = {at};
  if (!rt::item(session, get_items(session, outside, there)).truth()) return std::nullopt;
  return rt::item(session, get_items(session, row, there)).as_int();
}

Array checked_index(Session& session, const ArrayIndex& item, int64_t extent) {
  const Array& index = item.index;
  if (index.size() == 0) return astype(session, index, DType::kInt64, Casting::kUnsafe, false);
  if (!index.dtype().is_native()) {
    const Array native = astype(session, index, index.dtype().native(), Casting::kEquiv, false);
    return checked_index(session, {native, item.axis, item.position}, extent);
  }
  if (index.dtype() == DType::kUInt64) {  // from 2**63 on NumPy takes them for negative ones
    Layout signed_layout = index.layout();
    signed_layout.dtype = DType::kInt64;
    return checked_index(
        session, {index.with_layout(std::move(signed_layout)), item.axis, item.position}, extent);
  }
  const auto [low, high] = integer_range(session, index);
  // A remembered range may be wider than the indices are.
  const bool maybe_outside = low < -extent || high >= extent;
  if (const auto at = maybe_outside ? first_outside(session, index, extent) : std::nullopt) {
    fail(ErrorKind::kIndex, "index {} is out of bounds for axis {} with size {}", *at, item.axis,
         extent);
  }
  const Array wide = astype(session, index, DType::kInt64, Casting::kUnsafe, false);
  if (low >= 0) return wide;
  const Array negative = ops::less(session, wide, Scalar::of(DType::kInt64, int64_t{0}));
  const Array moved = ops::add(session, wide, Scalar::of(DType::kInt64, extent));
  return ops::where(session, negative, moved, wide);
}

// The result's axes: those of `rest`, with the index arrays' shape inserted at axis `at`.
void place_index_axes(IndexPlan& plan, const Layout& rest, const Dims& index_shape, int at) {
  Layout base{rest.dtype, {}, {}, rest.offset};
  for (int i = 0; i <= rest.rank(); ++i) {
    if (i == at) {
      for (int64_t extent : index_shape) {
        base.shape.push_back(extent);
        base.strides.push_back(0);
      }
    }
    if (i < rest.rank()) {
      base.shape.push_back(rest.shape[i]);
      base.strides.push_back(rest.strides[i]);
    }
  }
  plan.shape = base.shape;
  plan.base = plan.base.with_layout(std::move(base));
}

Array add_trailing_axes(const Array& array, int count) {
  Layout layout = array.layout();
  for (int i = 0; i < count; ++i) {
    layout.shape.push_back(1);
    layout.strides.push_back(0);
  }
  return array.with_layout(std::move(layout));
}

// The items with masks replaced by their nonzero(), and bare integers among arrays made arrays.
struct Sorted {
  std::vector<ArrayIndex> arrays;
  Layout rest;       // what the other items leave, index axes missing
  int first_at = 0;  // result axis where the first array stood
  bool side_by_side = true;
  bool from_mask = false;
  int index_items = 0;  // items that are arrays or masks
};

class Sorter {
 public:
  Sorter(Session& session, const Array& array) : session_(session), array_(array), walker_(array) {}

  Sorted sort(std::span<const IndexItem> items) {
    const int rest = array_.rank() - count_axes(array_, items);
    bool seen_ellipsis = false;
    for (const IndexItem& item : items) {
      ++position_;
      if (const auto* index = std::get_if<Array>(&item)) {
        take_array(*index);
      } else if (const auto* at = std::get_if<int64_t>(&item)) {
        take_array(from_host(session_, DType::kInt64, {}, at, array_.space()));
      } else if (const auto* slice = std::get_if<SliceIndex>(&item)) {
        walker_.slice(*slice);
      } else if (std::holds_alternative<NewAxis>(item)) {
        walker_.push(1, 0);
      } else {
        walker_.whole(rest);
        seen_ellipsis = true;
      }
    }
    if (!seen_ellipsis) walker_.whole(rest);
    out_.rest = std::move(walker_.out);
    return std::move(out_);
  }

 private:
  void take_array(const Array& index) {
    if (last_array_ >= 0 && last_array_ != position_ - 1) out_.side_by_side = false;
    if (out_.arrays.empty()) out_.first_at = walker_.out.rank();
    last_array_ = position_;
    ++out_.index_items;
    if (index.dtype() != DType::kBool) return add(index);
    out_.from_mask = true;
    if (index.rank() == 0) return take_truth(index);
    check_mask(index, array_, walker_.axis);
    for (const Array& each : nonzero(session_, index)) add(each);
  }
  // A 0-d mask adds an axis of one element or none.
  void take_truth(const Array& mask) {
    const int64_t zero = 0;
    const int64_t count = item(session_, mask).truth() ? 1 : 0;
    const Array none = from_host(session_, DType::kInt64, Dims{count}, &zero, array_.space());
    out_.arrays.push_back({none, -1, position_});
  }
  void add(const Array& index) {
    if (!is_integer(index.dtype())) {
      fail(ErrorKind::kIndex, "arrays used as indices must be of integer (or boolean) type");
    }
    out_.arrays.push_back({index.as_array(), walker_.axis, position_});
    ++walker_.axis;
  }

  Session& session_;
  const Array& array_;
  Walker walker_;
  Sorted out_;
  int position_ = 0;
  int last_array_ = -1;
};

Dims common_shape(std::span<const ArrayIndex> arrays) {
  std::vector<std::span<const int64_t>> shapes;
  for (const ArrayIndex& each : arrays) shapes.push_back(each.index.shape().span());
  try {
    return broadcast_shapes(shapes);
  } catch (const Error&) {
    std::string all;
    for (const auto& shape : shapes) all += shape_text(shape) + " ";
    fail(ErrorKind::kIndex,
         "shape mismatch: indexing arrays could not be broadcast together with shapes {}", all);
  }
}

// Distinct indices are distinct elements only if none is counted from the end.
bool is_distinct(const Sorted& sorted) {
  if (sorted.index_items != 1) return false;
  if (sorted.from_mask) return true;
  const Facts facts(sorted.arrays[0].index);
  return facts.distinct() && facts.range() && facts.range()->first >= 0;
}

}  // namespace

void check_mask(const Array& mask, const Array& array, int axis) {
  for (int i = 0; i < mask.rank(); ++i) {
    if (mask.shape()[i] == array.shape()[axis + i]) continue;
    fail(ErrorKind::kIndex,
         "boolean index did not match indexed array along axis {}; size of axis is {} but size of "
         "corresponding boolean axis is {}",
         axis + i, array.shape()[axis + i], mask.shape()[i]);
  }
}

IndexPlan plan_index(Session& session, const Array& array, std::span<const IndexItem> items) {
  const Sorted sorted = Sorter(session, array).sort(items);
  IndexPlan plan;
  plan.base = array.as_array();
  plan.from_mask = sorted.from_mask;
  const Dims index_shape = common_shape(sorted.arrays);
  element_count(index_shape, item_size(DType::kInt64));
  const int at = sorted.side_by_side ? sorted.first_at : 0;
  Array offsets;
  for (const ArrayIndex& each : sorted.arrays) {
    if (each.axis < 0) {
      if (!offsets) offsets = each.index;
      continue;
    }
    const Array index =
        to_space(session, checked_index(session, each, array.shape()[each.axis]), array.space());
    const int64_t stride = array.strides()[each.axis] / array.item_size();
    const int64_t reach = stride * (array.shape()[each.axis] - 1);
    plan.least += std::min<int64_t>(reach, 0);
    plan.span += std::abs(reach);
    const Scalar step = Scalar::of(DType::kInt64, stride);
    const Array moved = stride == 1 ? index : ops::multiply(session, index, step);
    offsets = offsets ? ops::add(session, offsets, moved) : moved;
  }
  place_index_axes(plan, sorted.rest, index_shape, at);
  plan.trailing = sorted.rest.rank() - at;
  plan.offsets = add_trailing_axes(offsets, plan.trailing);
  plan.distinct = is_distinct(sorted);
  return plan;
}

}  // namespace gpy::rt
