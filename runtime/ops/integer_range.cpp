#include "runtime/ops/integer_range.h"

#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"

namespace gpy::rt {

std::pair<int64_t, int64_t> integer_range(Session& session, const Array& array) {
  Value& value = *array.value();
  const bool whole = array.bytes() == static_cast<int64_t>(value.bytes());
  if (whole && value.known_range) return *value.known_range;
  const int64_t low = item(session, reduce(session, "minimum", array, {})).as_int();
  const int64_t high = item(session, reduce(session, "maximum", array, {})).as_int();
  if (whole) value.known_range = {low, high};
  return {low, high};
}

static bool any_negative(Session& session, const Operand& numbers) {
  if (!numbers.is_array()) return numbers.scalar().as_int() < 0;
  if (numbers.array().size() == 0) return false;
  return integer_range(session, numbers.array()).first < 0;
}

void check_exponents(Session& session, const ResolvedLoop& loop, std::span<const Operand> inputs,
                     const Operand* where) {
  if (loop.ufunc->name != "power" || !is_integer(loop.signature().out)) return;
  Operand exponent = inputs[1];
  if (kind(exponent.dtype()) == Kind::kUnsigned || exponent.dtype() == DType::kBool) return;
  if (exponent.is_array() && !is_integer(exponent.dtype())) {
    exponent = astype(session, exponent.array(), loop.signature().in[1]);
  }
  if (where) exponent = apply(session, "where", {*where, exponent, Scalar::weak(int64_t{0})});
  if (any_negative(session, exponent)) {
    fail(ErrorKind::kValue, "Integers to negative integer powers are not allowed.");
  }
}

}  // namespace gpy::rt
