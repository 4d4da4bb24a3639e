#include "src/numbers/number.h"

#include <cmath>
#include <compare>

#include "src/interpreter.h"
#include "src/numbers/real.h"
#include "src/objects/containers.h"
#include "src/objects/int.h"

namespace gpy {

// Ordered: the kind of a result is at least the larger kind of its operands.
enum class NumberKind { integer, real, complex, none };

static NumberKind kind_of(const Value& v) {
  if (is_int(v)) return NumberKind::integer;
  if (v.is_real()) return NumberKind::real;
  return v.is<Complex>() ? NumberKind::complex : NumberKind::none;
}

static double as_double(Interpreter& vm, const Value& v) {
  return v.is_real() ? v.as_real() : int_to_real(vm, v);
}

static std::complex<double> as_complex(Interpreter& vm, const Value& v) {
  if (const Complex* z = v.try_as<Complex>()) return {z->real, z->imag};
  return {as_double(vm, v), 0.0};
}

static bool is_complex_operator(BinaryOp op) {
  return op <= BinaryOp::true_divide || op == BinaryOp::power;
}

// Whether a complex has on its right an instance of float, numpy.float64 too, which is read as one.
static bool is_complex_with_kin(Interpreter& vm, const Value& lhs, const Value& rhs) {
  return lhs.is<Complex>() && rhs.is_object() && vm.is_instance(rhs, vm.types.real);
}

Value number_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  const NumberKind kind = std::max(kind_of(lhs), kind_of(rhs));
  if (kind == NumberKind::complex && !is_complex_operator(op)) return Value::not_implemented();
  switch (kind) {
    case NumberKind::integer: return int_binary(vm, op, lhs, rhs);
    case NumberKind::real: return real_binary(vm, op, as_double(vm, lhs), as_double(vm, rhs));
    case NumberKind::complex:
      return complex_binary(vm, op, as_complex(vm, lhs), as_complex(vm, rhs));
    case NumberKind::none: break;
  }
  if (!is_complex_with_kin(vm, lhs, rhs)) return Value::not_implemented();
  return number_binary(vm, op, lhs, Value::real(vm.to_real(rhs)));
}

static Value negate(Interpreter& vm, const Value& v) {
  if (v.is_real()) return Value::real(-v.as_real());
  if (const Complex* z = v.try_as<Complex>()) return vm.complex(-z->real, -z->imag);
  bool fits = !v.is_object() && v.as_integer() != INT64_MIN;
  return fits ? Value::integer(-v.as_integer()) : from_big(vm, -to_big(v));
}

static Value invert(Interpreter& vm, const Value& v) {
  if (!v.is_object()) return Value::integer(~v.as_integer());
  return from_big(vm, -v.as<Int>()->value - 1);
}

Value number_unary(Interpreter& vm, UnaryOp op, const Value& v) {
  if (!is_number(v) || (op == UnaryOp::invert && !is_int(v))) return Value::not_implemented();
  if (op == UnaryOp::negative) return negate(vm, v);
  if (op == UnaryOp::invert) return invert(vm, v);
  if (v.is_boolean()) return Value::integer(v.as_integer());
  const bool is_of_class = v.is_object() && v.as_object()->type->is_class;
  return is_of_class && v.is<Int>() ? from_big(vm, v.as<Int>()->value) : v;
}

static std::partial_ordering order_small_real(int64_t i, double d) {
  constexpr double kTooLarge = 9223372036854775808.0;
  if (std::isnan(d)) return std::partial_ordering::unordered;
  if (d >= kTooLarge) return std::partial_ordering::less;
  if (d < -kTooLarge) return std::partial_ordering::greater;
  auto whole = static_cast<int64_t>(d);
  if (i != whole) return i <=> whole;
  return 0.0 <=> d - static_cast<double>(whole);
}

// The fraction of `d` decides only for an int of a class: any other Int is beyond every small one.
static std::partial_ordering order_big_real(const BigInt& big, double d) {
  if (std::isnan(d)) return std::partial_ordering::unordered;
  if (std::isinf(d)) return 0.0 <=> d;
  const double whole = std::trunc(d);
  const int sign = big.compare(BigInt(whole));
  return sign != 0 ? sign <=> 0 : 0.0 <=> d - whole;
}

static std::partial_ordering order_int_real(const Value& lhs, double d) {
  if (lhs.is<Int>()) return order_big_real(lhs.as<Int>()->value, d);
  return order_small_real(lhs.as_integer(), d);
}

static std::partial_ordering order(const Value& lhs, const Value& rhs) {
  if (lhs.is_real() && rhs.is_real()) return lhs.as_real() <=> rhs.as_real();
  if (rhs.is_real()) return order_int_real(lhs, rhs.as_real());
  if (lhs.is_real()) return 0 <=> order_int_real(rhs, lhs.as_real());
  if (!lhs.is<Int>() && !rhs.is<Int>()) return lhs.as_integer() <=> rhs.as_integer();
  if (!rhs.is<Int>()) return lhs.as<Int>()->value.compare(rhs.as_integer()) <=> 0;
  if (!lhs.is<Int>()) return 0 <=> rhs.as<Int>()->value.compare(lhs.as_integer());
  return lhs.as<Int>()->value.compare(rhs.as<Int>()->value) <=> 0;
}

static bool complex_equal(const Value& lhs, const Value& rhs) {
  if (!lhs.is<Complex>()) return complex_equal(rhs, lhs);
  const Complex* z = lhs.as<Complex>();
  if (const Complex* w = rhs.try_as<Complex>()) return z->real == w->real && z->imag == w->imag;
  return z->imag == 0.0 && order(Value::real(z->real), rhs) == 0;
}

static Value compare_complex(CompareOp op, const Value& lhs, const Value& rhs) {
  if (op == CompareOp::equal) return Value::boolean(complex_equal(lhs, rhs));
  if (op == CompareOp::not_equal) return Value::boolean(!complex_equal(lhs, rhs));
  return Value::not_implemented();
}

Value number_compare(Interpreter& vm, CompareOp op, const Value& lhs, const Value& rhs) {
  NumberKind kind = std::max(kind_of(lhs), kind_of(rhs));
  if (kind == NumberKind::none) {
    if (!is_complex_with_kin(vm, lhs, rhs)) return Value::not_implemented();
    return number_compare(vm, op, lhs, Value::real(vm.to_real(rhs)));
  }
  if (kind == NumberKind::complex) return compare_complex(op, lhs, rhs);
  return Value::boolean(holds(op, order(lhs, rhs)));
}

}  // namespace gpy
