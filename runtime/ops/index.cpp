#include "runtime/ops/index.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/index_plan.h"
#include "runtime/ops/selection.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/small_index.h"
#include "runtime/ops/sorting.h"

namespace gpy::rt {

bool is_basic(std::span<const IndexItem> items) {
  return std::none_of(items.begin(), items.end(),
                      [](const IndexItem& item) { return std::holds_alternative<Array>(item); });
}

namespace {

// array[index_plan]: a gather whose address is the sum of the index arrays times their strides.
Array gather(Session& session, const IndexPlan& plan) {
  auto node = std::make_unique<Node>();
  node->kind = Node::Kind::kGather;
  node->input_count = 2;
  node->inputs[0] = make_input(plan.base, plan.shape);
  node->inputs[1] = make_input(plan.offsets, plan.shape);
  const DType dtype = plan.base.dtype();
  node->out = {dtype, plan.shape, c_strides(plan.shape, item_size(dtype)), 0};
  return make_node(session, std::move(node), plan.base.space());
}

const Array* only_array(std::span<const IndexItem> items) {
  return items.size() == 1 ? std::get_if<Array>(&items[0]) : nullptr;
}

// The mask of array[mask], where it has axes and no more than the array.
const Array* only_mask(const Array& array, std::span<const IndexItem> items) {
  const Array* mask = only_array(items);
  if (!mask || mask->dtype() != DType::kBool) return nullptr;
  return mask->rank() > 0 && mask->rank() <= array.rank() ? mask : nullptr;
}

// NumPy lets an assigned array have additional leading axes of one element.
Operand without_ones(Operand value, int rank) {
  while (value.is_array() && value.array().rank() > rank && value.array().shape()[0] == 1) {
    const int64_t first[] = {0};
    value = squeeze(value.array(), first);
  }
  return value;
}

// array[mask] = number, with a mask of the array's own shape: no index is ever made.
bool assign_masked(Session& session, const Array& array, std::span<const IndexItem> items,
                   const Operand& source) {
  const Array* mask = only_mask(array, items);
  const bool single = !source.is_array() || source.array().size() == 1;
  if (!mask || !(mask->shape() == array.shape())) return false;
  if (source.is_array() && source.array().rank() > 1) {
    fail(ErrorKind::kType,
         "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has "
         "{} dimensions",
         source.array().rank());
  }
  if (!single) return false;
  Operand value = source;
  if (source.is_array()) {
    value = astype(session, reshape(session, source.array(), {}), array.dtype());
  } else {
    value = source.scalar().cast(array.dtype());
  }
  write(session, array, ops::where(session, *mask, value, array, array.space()));
  return true;
}

// A device stores all elements at once: of those that go to one place only the last one's value may
// be seen. Whether that can matter.
bool needs_last_values(Session& session, const IndexPlan& plan, const Operand& source) {
  const bool one_value = !source.is_array() || source.array().size() <= 1;
  return !one_value && !plan.distinct && session.place_of(plan.base.space()) != kHostPlace;
}

// Stores single elements, each of which only the last one writes.
void put_last_values(Session& session, const IndexPlan& plan, const Array& source) {
  const Array values = astype(session, to_space(session, source, plan.base.space()),
                              plan.base.dtype(), Casting::kUnsafe, false);
  put_last(session, plan.base, broadcast_to(plan.offsets, plan.shape), plan.least, plan.span,
           broadcast_to(values, plan.shape));
}

// Each element gets the value of the last one that goes to its place.
Operand with_last_values(Session& session, const IndexPlan& plan, const Operand& source) {
  const Array last = last_equal(session, plan.offsets, plan.least, plan.span);
  const Array own = iota(session, last.shape(), last.space());
  // The distance from each element of the result to the one whose value it takes.
  int64_t inner = 1;
  for (int i = 0; i < plan.trailing; ++i) inner *= plan.shape[plan.shape.size() - 1 - i];
  const Array rows = ops::subtract(session, last, own);
  const Array moves = ops::multiply(session, rows, Scalar::of(DType::kInt64, inner));
  const Array from = ops::add(session, iota(session, plan.shape, last.space()), moves);
  Facts(from).remember_range({0, element_count(plan.shape) - 1});
  const Array values = to_space(session, broadcast_to(source.array(), plan.shape), last.space());
  return take(session, values, from, std::nullopt);
}

}  // namespace

Array get_items(Session& session, const Array& array, std::span<const IndexItem> items) {
  if (is_basic(items)) return basic_view(array, items);
  if (const Array* index = only_array(items)) {
    if (auto done = try_gather_at_once(session, array, *index)) return *std::move(done);
  }
  if (const Array* mask = only_mask(array, items)) {
    check_mask(*mask, array, 0);
    return select(session, array, *mask);
  }
  const IndexPlan plan = plan_index(session, array, items);
  return gather(session, plan);
}

// Memory that others see may be the same in two storages, as of a file that is mapped twice.
std::vector<IndexItem> own_indices(Session& session, const Array& array,
                                   std::span<const IndexItem> items) {
  const bool seen = array.storage().lent();
  std::vector<IndexItem> own(items.begin(), items.end());
  for (IndexItem& item : own) {
    auto* const index = std::get_if<Array>(&item);
    const bool shares =
        index && (index->storage_ref() == array.storage_ref() || (seen && index->storage().lent()));
    if (!shares) continue;
    *index = copy(session, *index);
    evaluate(session, *index->value());
  }
  return own;
}

void set_items(Session& session, const Array& array, std::span<const IndexItem> items,
               const Operand& given) {
  if (is_basic(items)) {
    const Array target = basic_view(array, items);
    return write(session, target, without_ones(given, target.rank()));
  }
  if (const Array* index = only_array(items)) {
    if (try_scatter_at_once(session, array, *index, given)) return;
  }
  if (!array.writeable()) fail(ErrorKind::kValue, "assignment destination is read-only");
  if (assign_masked(session, array, items, given)) return;
  const IndexPlan plan = plan_index(session, array, own_indices(session, array, items));
  const Operand source = without_ones(given, plan.shape.size());
  if (source.is_array() && !try_broadcast(source.array().layout(), plan.shape)) {
    if (plan.from_mask) {
      fail(ErrorKind::kValue,
           "NumPy boolean array indexing assignment cannot assign {} input values to the {} output "
           "values where the mask is true",
           source.array().size(), element_count(plan.shape));
    }
    fail(ErrorKind::kValue,
         "shape mismatch: value array of shape {} could not be broadcast to indexing result of "
         "shape {}",
         shape_text(source.array().shape()), shape_text(plan.shape));
  }
  if (!needs_last_values(session, plan, source)) {
    return write_at(session, plan.base, plan.shape, plan.offsets, source);
  }
  const Dims& strides = plan.base.strides();
  const bool single = std::all_of(strides.begin(), strides.end(), [](int64_t s) { return s == 0; });
  if (single) return put_last_values(session, plan, source.array());
  write_at(session, plan.base, plan.shape, plan.offsets, with_last_values(session, plan, source));
}

Array take(Session& session, const Array& array, const Array& indices,
           std::optional<int64_t> axis) {
  const Array source = axis || array.rank() == 1 ? array : ravel(session, array);
  const int along = normalize_axis(axis.value_or(0), source.rank());
  std::vector<IndexItem> items(along, SliceIndex{});
  items.emplace_back(indices);
  return get_items(session, source, items);
}

}  // namespace gpy::rt
