#include "runtime/ops/integer_range.h"

#include "runtime/core/error.h"
#include "runtime/graph/facts.h"
#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/sorting_place.h"

namespace gpy::rt {

// The elements that broadcasting repeats, once each.
static Array without_repeats(const Array& array) {
  Layout layout = array.layout();
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (layout.strides[axis] == 0) layout.shape[axis] = 1;
  }
  return array.with_layout(std::move(layout));
}

// Both ends in one pass, where the array's device has the family for it.
static std::optional<std::pair<int64_t, int64_t>> range_on_device(Session& session,
                                                                  const Array& array) {
  Backend& backend = session.backend_of(array.space());
  const bool is_unsigned = array.dtype().native() == DType::kUInt64;
  if (backend.is_host() || !backend.sorting() || is_unsigned) return {};
  const SortingPlace at(session, array.space());
  const PlacedElements elements(at, astype(session, array, DType::kInt64, Casting::kUnsafe, false));
  const Extremes found = at.family().extremes(elements.as<int64_t>(), array.size());
  return std::pair{found.least, found.greatest};
}

static std::pair<int64_t, int64_t> look_at_range(Session& session, const Array& array) {
  if (const auto found = range_on_device(session, array)) return *found;
  const int64_t low = item(session, reduce(session, Fold::minimum, array, {})).as_int();
  return {low, item(session, reduce(session, Fold::maximum, array, {})).as_int()};
}

std::pair<int64_t, int64_t> integer_range(Session& session, const Array& array) {
  if (const auto known = Facts(array).range()) return *known;
  const Ref<Value> looked_at = array.value();
  const Array once = without_repeats(array);
  const std::pair<int64_t, int64_t> range = look_at_range(session, once);
  // A script's handler of a warning may have written meanwhile.
  if (array.value() == looked_at) Facts(array).remember_range(range);
  return range;
}

// What holds of bounds that are remembered, or of the elements' own.
template <class Holds>
static bool holds_of_range(Session& session, const Array& array, Holds&& holds) {
  const bool remembered = Facts(array).range().has_value();
  const auto [low, high] = integer_range(session, array);
  if (holds(low, high) || !remembered) return holds(low, high);
  const auto [least, most] = look_at_range(session, without_repeats(array));
  return holds(least, most);
}

bool lie_within(Session& session, const Array& array, int64_t end) {
  if (array.size() == 0) return true;
  return holds_of_range(session, array,
                        [&](int64_t low, int64_t high) { return low >= 0 && high < end; });
}

bool reach_from_0_to(Session& session, const Array& array, int64_t last) {
  return holds_of_range(session, array,
                        [&](int64_t low, int64_t high) { return low == 0 && high == last; });
}

static bool any_negative(Session& session, const Operand& numbers) {
  if (!numbers.is_array()) return numbers.scalar().as_int() < 0;
  if (numbers.array().size() == 0) return false;
  return integer_range(session, numbers.array()).first < 0;
}

bool checks_exponents(const Ufunc& ufunc, const UfuncLoop& loop) {
  return ufunc.is(Row::power) && is_integer(loop.out);
}

void check_exponents(Session& session, const ResolvedLoop& loop, std::span<const Term> inputs,
                     const Operand* where) {
  if (!checks_exponents(*loop.ufunc, loop.signature())) return;
  Operand exponent = inputs[1].kept();
  if (kind(exponent.dtype()) == DTypeKind::kUnsigned || exponent.dtype() == DType::kBool) return;
  if (exponent.is_array() && !is_integer(exponent.dtype())) {
    exponent = astype(session, exponent.array(), loop.signature().in[1]);
  }
  if (where) exponent = ops::where(session, *where, exponent, Scalar::weak(int64_t{0}));
  if (any_negative(session, exponent)) {
    fail(ErrorKind::kValue, "Integers to negative integer powers are not allowed.");
  }
}

}  // namespace gpy::rt
