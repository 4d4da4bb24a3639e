#include "runtime/ops/apply_at.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/graph/events.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/graph/write_access.h"
#include "runtime/memory/account.h"
#include "runtime/ops/create.h"
#include "runtime/ops/index_plan.h"
#include "runtime/ops/integer_range.h"
#include "runtime/ops/shape.h"
#include "runtime/ops/sorting_place.h"
#include "runtime/tiles/tiles.h"

namespace gpy::rt {

namespace {

constexpr size_t kLargestItem = 16;

Array on_host(Session& session, const Array& array, DType dtype) {
  const Array here = to_space(session, array.as_array(), Space::host());
  return astype(session, here, dtype, Casting::kUnsafe, true, 'C');
}

// The position of each indexed element in the flattened target.
Array positions_of(Session& session, const Array& target, std::span<const IndexItem> items) {
  std::vector<IndexItem> here(items.begin(), items.end());
  for (IndexItem& item : here) {
    if (const Array* index = std::get_if<Array>(&item))
      item = to_space(session, *index, Space::host());
  }
  return get_items(session, iota(session, target.shape(), Space::host()), here);
}

Array spread(Session& session, const Operand& operand, const Dims& shape, DType dtype) {
  if (!operand.is_array()) {
    return full(session, shape, operand.scalar().cast(dtype), dtype, Space::host());
  }
  if (!try_broadcast(operand.array().layout(), shape)) {
    fail(ErrorKind::kValue, "array is not broadcastable to correct shape");
  }
  return on_host(session, broadcast_to(operand.array(), shape), dtype);
}

// Changes one element in place; casts between the target's dtype and the loop's.
struct ElementUpdate {
  ElementUpdate(const UfuncLoop& loop, DType target)
      : loop(loop), read(cast_loop(target, loop.in[0])), write(cast_loop(loop.out, target)) {}

  void operator()(std::byte* element, const std::byte* other) {
    const void* from[] = {element};
    read(from, first, 1);
    const void* inputs[] = {first, other};
    loop.tile(inputs, result, 1);
    const void* to[] = {result};
    write(to, element, 1);
  }

  const UfuncLoop& loop;
  TileLoop read, write;
  alignas(kLargestItem) std::byte first[kLargestItem];
  alignas(kLargestItem) std::byte result[kLargestItem];
};

// --- by the sort family --------------------------------------------------------------------------

// A ufunc's operation in the sort family, where its loop takes and gives the target's dtype.
struct CombineMethod {
  Row row;
  Combine how;
  bool negates = false;  // the values first
};
constexpr CombineMethod kCombineMethods[] = {
    {Row::add, Combine::kAdd},           {Row::subtract, Combine::kAdd, true},
    {Row::multiply, Combine::kMultiply}, {Row::minimum, Combine::kMinimum},
    {Row::maximum, Combine::kMaximum},   {Row::bitwise_and, Combine::kAnd},
    {Row::bitwise_or, Combine::kOr},     {Row::bitwise_xor, Combine::kXor},
    {Row::logical_and, Combine::kAnd},   {Row::logical_or, Combine::kOr},
    {Row::logical_xor, Combine::kXor},
};

const CombineMethod* find_method(const Ufunc& ufunc, const UfuncLoop& loop, DType target) {
  if (ufunc.arity != 2 || loop.in[0] != target || loop.in[1] != target || loop.out != target) {
    return nullptr;
  }
  const auto found =
      std::ranges::find(kCombineMethods, static_cast<Row>(ufunc.id), &CombineMethod::row);
  return found == std::end(kCombineMethods) ? nullptr : found;
}

bool goes_forward(const Array& array) {
  return std::ranges::all_of(array.strides(), [](int64_t stride) { return stride >= 0; });
}

// The distances, in elements, of the indexed elements from the base's first one.
Array distances(Session& session, const IndexPlan& plan) {
  Array sum = plan.offsets;
  for (int axis = 0; axis < plan.base.rank(); ++axis) {
    const int64_t stride = plan.base.strides()[axis] / plan.base.item_size();
    if (stride == 0) continue;
    const Array places = iota(session, Dims{plan.shape[axis]}, plan.base.space());
    Dims column(plan.base.rank() - axis, 1);
    column[0] = plan.shape[axis];
    const Scalar step = Scalar::of(DType::kInt64, stride);
    sum = ops::add(session, sum, ops::multiply(session, reshape(session, places, column), step));
  }
  return broadcast_to(sum, plan.shape);
}

// The operand as one value for all, or a value for each.
Array values_of(Session& session, const CombineMethod& method, const Operand& operand,
                const Dims& shape, DType dtype, Space space) {
  Array values;
  if (!operand.is_array()) {
    values = full(session, {}, operand.scalar().cast(dtype), dtype, space);
  } else {
    if (!try_broadcast(operand.array().layout(), shape)) {
      fail(ErrorKind::kValue, "array is not broadcastable to correct shape");
    }
    values = to_space(session, operand.array().as_array(), space);
    if (values.size() != 1) values = broadcast_to(values, shape);
    values = astype(session, values, dtype, Casting::kUnsafe, false);
  }
  return method.negates ? ops::negative(session, values) : values;
}

// The number of elements from an array's first one in memory to its last.
int64_t span_of(const Array& array) {
  int64_t span = 1;
  for (int axis = 0; axis < array.rank(); ++axis) {
    span += (array.shape()[axis] - 1) * (array.strides()[axis] / array.item_size());
  }
  return span;
}

int combine_in_place(Session& session, const CombineMethod& method, const Array& target,
                     const IndexPlan& plan, const Operand& operand) {
  const SortingPlace at(session, target.space());
  Array values = values_of(session, method, operand, plan.shape, target.dtype(), at.space());
  const int64_t count = element_count(plan.shape);
  if (count == 0) return 0;
  if (&values.storage() == &target.storage()) values = copy(session, values);
  const PlacedElements positions(at, to_space(session, distances(session, plan), at.space()));
  const PlacedElements changes(at, values);
  const WriteAccess access(session, plan.base, at.place());
  clear_events();
  at.family().combine({target.dtype(), method.how, positions.as<int64_t>(), count, changes.data(),
                       values.size() == 1, span_of(target), access.data()});
  return at.place() == kHostPlace ? raised_events() : 0;
}

// From this size on the work is done on a copy: an interrupt then leaves the target as it was.
constexpr int64_t kLong = 1 << 20;

int combine_at(Session& session, const CombineMethod& method, const Array& target,
               std::span<const IndexItem> items, const Operand& operand) {
  const IndexPlan plan = plan_index(session, target, items);
  if (element_count(plan.shape) < std::max(kLong, target.size())) {
    return combine_in_place(session, method, target, plan, operand);
  }
  const Array changed = copy(session, target);
  int flags = 0;
  {
    const InterruptScope scope(session.interrupt);
    flags =
        combine_in_place(session, method, changed, plan_index(session, changed, items), operand);
  }
  write(session, target, changed);
  return flags;
}

// --- by the ufunc's own loop ---------------------------------------------------------------------

// Works on the host, wherever the target is.
int apply_one_by_one(Session& session, const ResolvedLoop& loop, const Array& target,
                     std::span<const IndexItem> items, const Operand* operand) {
  const Array where = positions_of(session, target, items);
  const Array flat = on_host(session, where, DType::kInt64);
  Array others = operand ? spread(session, *operand, where.shape(), loop.signature().in[1]) : flat;
  if (flat.size() == 0) return 0;
  const DType dtype = target.dtype().native();
  const HostRead at(session, flat), other(session, others),
      old(session, on_host(session, target, dtype));
  const size_t size = item_size(target.dtype()), other_size = item_size(others.dtype());
  const Charge scratch(target.bytes());
  std::vector<std::byte> elements(old.data(), old.data() + target.bytes());
  ElementUpdate update(loop.signature(), dtype);
  clear_events();
  {
    const InterruptScope scope(session.interrupt);
    for_each_polled(flat.size(), [&](int64_t i) {
      int64_t place;
      std::memcpy(&place, at.data() + i * sizeof place, sizeof place);
      update(elements.data() + place * size, other.data() + i * other_size);
    });
  }
  const int flags = raised_events();
  const Array changed = from_host(session, dtype, target.shape(), elements.data(), Space::host());
  write(session, target, to_space(session, changed, target.space()));
  return flags;
}

// The family counts positions from the target's first element on.
bool suits_family(const Array& target, std::span<const IndexItem> items) {
  const auto is_array = [](const IndexItem& item) { return std::holds_alternative<Array>(item); };
  const auto goes_back = [](const IndexItem& item) {
    const SliceIndex* const slice = std::get_if<SliceIndex>(&item);
    return slice && slice->step.value_or(1) < 0;
  };
  return goes_forward(target) && std::ranges::any_of(items, is_array) &&
         std::ranges::none_of(items, goes_back);
}

}  // namespace

void apply_at(Session& session, const Ufunc& ufunc, const Array& target,
              std::span<const IndexItem> items, const Operand* operand) {
  const Operand inputs[] = {target.as_array(), operand ? *operand : Operand(Scalar(false))};
  const Terms taken({inputs, operand ? size_t{2} : size_t{1}});
  const ResolvedLoop loop = resolve_loop(ufunc, taken);
  check_exponents(session, loop, taken, nullptr);
  if (!target.writeable()) fail(ErrorKind::kValue, "assignment destination is read-only");
  const CombineMethod* const method = find_method(ufunc, loop.signature(), target.dtype());
  const std::vector<IndexItem> own = own_indices(session, target, items);
  const bool by_family = method && suits_family(target, own);
  const int flags = by_family ? combine_at(session, *method, target, own, *operand)
                              : apply_one_by_one(session, loop, target, own, operand);
  if (!ufunc.quiet) tell_events(session, flags, ufunc.name, session.origin());
}

}  // namespace gpy::rt
