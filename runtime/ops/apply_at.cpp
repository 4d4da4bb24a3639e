#include "runtime/ops/apply_at.h"

#include <cstring>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/core/error.h"
#include "runtime/cpu/tiles.h"
#include "runtime/graph/events.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/memory/account.h"
#include "runtime/ops/create.h"
#include "runtime/ops/integer_range.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {

namespace {

constexpr size_t kLargestItem = 16;

Array on_host(Session& session, const Array& array, DType dtype) {
  const Array here = to_space(session, array.as_array(), Space::host());
  return astype(session, here, dtype, Casting::kUnsafe, true, 'C');
}

// Where, in the flattened target, each indexed element lies.
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

// One element in, changed, and out again; casts between the target's dtype and the loop's.
struct Step {
  Step(const UfuncLoop& loop, DType target)
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

}  // namespace

void apply_at(Session& session, const Ufunc& ufunc, const Array& target,
              std::span<const IndexItem> items, const Operand* operand) {
  const Operand inputs[] = {target.as_array(), operand ? *operand : Operand(Scalar(false))};
  const Terms taken({inputs, operand ? size_t{2} : size_t{1}});
  const ResolvedLoop loop = resolve_loop(ufunc, taken);
  check_exponents(session, loop, taken, nullptr);
  const Array where = positions_of(session, target, items);
  const Array flat = on_host(session, where, DType::kInt64);
  Array others = operand ? spread(session, *operand, where.shape(), loop.signature().in[1]) : flat;
  if (flat.size() == 0) return;
  const HostRead at(session, flat), other(session, others),
      old(session, on_host(session, target, target.dtype()));
  const size_t size = item_size(target.dtype()), other_size = item_size(others.dtype());
  const Charge scratch(target.bytes());
  std::vector<std::byte> elements(old.data(), old.data() + target.bytes());
  Step step(loop.signature(), target.dtype());
  clear_events();
  {
    const InterruptScope scope(session.interrupt);
    for_each_polled(flat.size(), [&](int64_t i) {
      int64_t place;
      std::memcpy(&place, at.data() + i * sizeof place, sizeof place);
      step(elements.data() + place * size, other.data() + i * other_size);
    });
  }
  const int flags = ufunc.quiet ? 0 : raised_events();
  const Array changed =
      from_host(session, target.dtype(), target.shape(), elements.data(), Space::host());
  write(session, target, to_space(session, changed, target.space()));
  tell_events(session, flags, ufunc.name, session.origin());
}

}  // namespace gpy::rt
