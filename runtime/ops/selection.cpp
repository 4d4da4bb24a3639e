#include "runtime/ops/selection.h"

#include "runtime/core/interrupt.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting_place.h"

namespace gpy::rt {

namespace {

// One axis of the chosen, then the array's axes behind the mask's.
Dims selected_shape(const Array& array, int mask_rank, int64_t chosen) {
  Dims shape{chosen};
  for (int axis = mask_rank; axis < array.rank(); ++axis) shape.push_back(array.shape()[axis]);
  return shape;
}

Array select_by_family(const SortingPlace& at, const Array& array, const Array& mask) {
  const InterruptScope scope(at.session().interrupt);
  const PlacedElements flags(at, mask);
  const auto* const set = flags.as<uint8_t>();
  const int64_t count = mask.size(), chosen = at.family().count_set(set, count);
  const PlacedElements elements(at, array);
  return at.make(array.dtype(), selected_shape(array, mask.rank(), chosen), [&](void* to) {
    const int64_t size = count == 0 ? 0 : array.bytes() / count;
    if (chosen == 0 || size == 0) return;
    at.family().select_set(set, count, chosen, elements.data(), size, to);
  });
}

// Every element is stored, the chosen ones at their place and the others together behind the last.
Array select_on_device(Session& session, const Array& array, const Array& mask) {
  const int64_t count = mask.size();
  const Array flat = ravel(session, mask);
  const DType type = count < INT32_MAX ? DType::kInt32 : DType::kInt64;
  const Array places = accumulate(session, Fold::add, flat, 0, type, nullptr);
  const IndexItem last[] = {count - 1};
  const int64_t chosen = item(session, get_items(session, places, last)).as_int();

  const Array before = ops::subtract(session, places, Scalar::of(type, int64_t{1}));
  const Array target = ops::where(session, flat, before, Scalar::of(type, chosen));
  Dims row{count};
  const Dims with_rest = selected_shape(array, mask.rank(), chosen + 1);
  for (int axis = 1; axis < with_rest.size(); ++axis) row.push_back(with_rest[axis]);
  const int64_t rest = array.size() / count;
  Array offsets = ops::multiply(session, astype(session, target, DType::kInt64),
                                Scalar::of(DType::kInt64, rest));
  Layout column = offsets.layout();
  for (int axis = 1; axis < row.size(); ++axis) {
    column.shape.push_back(1);
    column.strides.push_back(0);
  }
  offsets = offsets.with_layout(std::move(column));

  const Array room = make_empty(session, array.dtype(), with_rest, array.space());
  Layout walked = room.layout();
  walked.shape = row;
  walked.strides[0] = 0;
  write_at(session, room.with_layout(walked), row, offsets, reshape(session, array, row));
  Layout kept = room.layout();
  kept.shape[0] = chosen;
  return room.with_layout(kept);
}

Array along_axis(Session& session, const Array& positions, int64_t below, int64_t extent,
                 bool outermost) {
  const Array quotient =
      below == 1 ? positions
                 : ops::floor_divide(session, positions, Scalar::of(DType::kInt64, below));
  return outermost ? quotient
                   : ops::remainder(session, quotient, Scalar::of(DType::kInt64, extent));
}

bool has_family(Session& session, Space space) {
  return session.backend_of(space).sorting() != nullptr;
}

Array positions_of(Session& session, const Array& mask) {
  if (!has_family(session, mask.space())) {
    if (mask.size() == 0) return make_empty(session, DType::kInt64, Dims{0}, mask.space());
    return select_on_device(session, iota(session, mask.shape(), mask.space()), mask);
  }
  const SortingPlace at(session, mask.space());
  const InterruptScope scope(session.interrupt);
  const PlacedElements flags(at, mask);
  const auto* const set = flags.as<uint8_t>();
  const int64_t chosen = at.family().count_set(set, mask.size());
  return at.make<int64_t>(DType::kInt64, Dims{chosen}, [&](int64_t* positions) {
    at.family().positions_set(set, mask.size(), chosen, positions);
  });
}

}  // namespace

Array select(Session& session, const Array& array, const Array& mask) {
  const Array flags = to_space(session, mask.as_array(), array.space());
  if (has_family(session, array.space()) || array.size() == 0) {
    return select_by_family(SortingPlace(session, array.space()), array.as_array(), flags);
  }
  return select_on_device(session, array.as_array(), flags);
}

std::vector<Array> nonzero(Session& session, const Array& array) {
  const Array truth = astype(session, array.as_array(), DType::kBool, Casting::kUnsafe, false);
  const Array positions = positions_of(session, truth);
  const Dims extents = array.rank() == 0 ? Dims{1} : array.shape();
  std::vector<Array> out;
  int64_t below = element_count(extents);
  for (int axis = 0; axis < extents.size(); ++axis) {
    below = extents[axis] == 0 ? 1 : below / extents[axis];
    out.push_back(
        along_axis(session, positions, std::max<int64_t>(below, 1), extents[axis], axis == 0));
    Facts facts(out.back());
    facts.remember_range({0, std::max<int64_t>(extents[axis] - 1, 0)});
    if (extents.size() == 1) facts.remember_distinct();
  }
  return out;
}

}  // namespace gpy::rt
