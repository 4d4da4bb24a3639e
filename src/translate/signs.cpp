#include "src/translate/signs.h"

#include <algorithm>

namespace gpy {

using Kind = TypedExpression::Kind;

static bool all_nonnegative(const TypedExpression& value, const Variables& variables) {
  return std::ranges::all_of(value.args,
                             [&](const auto& each) { return is_nonnegative(each, variables); });
}

static bool any_nonnegative(const TypedExpression& value, const Variables& variables) {
  return std::ranges::any_of(value.args,
                             [&](const auto& each) { return is_nonnegative(each, variables); });
}

static bool row_is_nonnegative(const TypedExpression& value, const Variables& variables) {
  using rt::Row;
  const rt::Ufunc& row = *value.ufunc;
  if (row.is(Row::square) || row.is(Row::absolute)) return true;
  if (row.is(Row::remainder)) return is_nonnegative(value.args[1], variables);
  if (row.is(Row::bitwise_and) || row.is(Row::maximum)) return any_nonnegative(value, variables);
  const bool keeps_sign = row.is(Row::add) || row.is(Row::multiply) || row.is(Row::floor_divide) ||
                          row.is(Row::right_shift) || row.is(Row::minimum) ||
                          row.is(Row::bitwise_or) || row.is(Row::bitwise_xor);
  return keeps_sign && all_nonnegative(value, variables);
}

// Whether ints of a type keep their value, and so their sign, as another.
static bool holds_all(rt::DType to, rt::DType from) {
  if (from == rt::DType::kBool) return true;
  if (!rt::is_integer(from) || !rt::is_integer(to)) return false;
  const bool same_kind = rt::kind(from) == rt::kind(to);
  return same_kind ? rt::item_size(to) >= rt::item_size(from)
                   : rt::item_size(to) > rt::item_size(from);
}

static bool call_is_nonnegative(const TypedExpression& value, const Variables& variables) {
  if (value.symbol.starts_with("at_")) return true;  // a place on the grid
  if (value.symbol == "range_count" || value.symbol == "element_count") return true;
  if (value.symbol == "range_step") return is_nonnegative(value.args[0], variables);
  if (value.symbol == "greater") return any_nonnegative(value, variables);
  return (value.symbol == "smaller" || value.symbol == "range_item") &&
         all_nonnegative(value, variables);
}

bool is_nonnegative(const TypedExpression& value, const Variables& variables) {
  if (!value.type.is_number()) return false;
  const rt::DTypeKind kind = rt::kind(value.type.dtype);
  if (kind == rt::DTypeKind::kUnsigned || kind == rt::DTypeKind::kBool) return true;
  switch (value.kind) {
    case Kind::kNumber: return value.number.as_int() >= 0;
    case Kind::kVariable: return variables.is_nonnegative(value.index);
    case Kind::kCast:
      return holds_all(value.type.dtype, value.args[0].type.dtype) &&
             is_nonnegative(value.args[0], variables);
    case Kind::kChoice:
      return is_nonnegative(value.args[1], variables) && is_nonnegative(value.args[2], variables);
    case Kind::kExtent: return true;
    case Kind::kRow: return row_is_nonnegative(value, variables);
    case Kind::kSupport: return call_is_nonnegative(value, variables);
    default: return false;
  }
}

}  // namespace gpy
