#include "src/objects/int.h"

#include <bit>
#include <cmath>

#include "src/numbers/big_arithmetic.h"
#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/numbers/real.h"

namespace gpy {

// The longest int, in bits: the machine would be out of memory long before.
static constexpr int64_t kMostBits = int64_t{1} << 36;

Int::Int(Type* type, BigInt value) : Object(type), value(std::move(value)) {
  type->vm->heap.note(limb_bytes());
}

Int::~Int() { type->vm->heap.forget(limb_bytes()); }

size_t Int::limb_bytes() const {
  return value.backend().size() * sizeof(boost::multiprecision::limb_type);
}

BigInt to_big(const Value& value) {
  return value.is_object() ? value.as<Int>()->value : BigInt(value.as_integer());
}

Value from_big(Interpreter& vm, BigInt value) {
  if (value.backend().size() > 1) return vm.make<Int>(vm.types.integer, std::move(value));
  if (value >= INT64_MIN && value <= INT64_MAX) {
    return Value::integer(static_cast<int64_t>(value));
  }
  return vm.make<Int>(vm.types.integer, std::move(value));
}

Value without_class(Interpreter& vm, const Value& value) {
  const Int* number = value.try_as<Int>();
  return number && number->type->is_class ? from_big(vm, number->value) : value;
}

int64_t bit_length(const Value& number) {
  if (number.is_object()) return static_cast<int64_t>(msb(abs(number.as<Int>()->value))) + 1;
  int64_t i = number.as_integer();
  return 64 - std::countl_zero(i < 0 ? 0 - static_cast<uint64_t>(i) : static_cast<uint64_t>(i));
}

static bool is_negative(const Value& number) {
  return number.is_object() ? number.as<Int>()->value < 0 : number.as_integer() < 0;
}

// --- division ------------------------------------------------------------------------------------

// Quotient rounded down, and the remainder with the divisor's sign.
static std::pair<BigInt, BigInt> floor_divide(Interpreter& vm, const BigInt& a, const BigInt& b) {
  BigInt quotient, remainder;
  divide(vm, a, b, quotient, remainder);
  if (remainder != 0 && (remainder < 0) != (b < 0)) {
    quotient -= 1;
    remainder += b;
  }
  return {std::move(quotient), std::move(remainder)};
}

// A magnitude times 2^exponent as the nearest double; `sticky`: bits below it are not all zero.
static double round_to_double(BigInt magnitude, int64_t exponent, bool sticky) {
  if (magnitude == 0) return 0;
  auto excess = static_cast<int64_t>(msb(magnitude)) + 1 - 64;
  if (excess > 0) {
    sticky |= static_cast<int64_t>(lsb(magnitude)) < excess;
    magnitude >>= static_cast<unsigned>(excess);
    exponent += excess;
  } else {
    magnitude <<= static_cast<unsigned>(-excess);
    exponent += excess;
  }
  uint64_t bits = static_cast<uint64_t>(magnitude) | (sticky ? 1 : 0);
  if (exponent > 2000) return HUGE_VAL;
  return std::ldexp(static_cast<double>(bits),
                    static_cast<int>(std::max<int64_t>(exponent, -3000)));
}

double int_to_real(Interpreter& vm, const Value& number) {
  if (!number.is_object()) return static_cast<double>(number.as_integer());
  const BigInt& big = number.as<Int>()->value;
  double result = round_to_double(abs(big), 0, false);
  if (std::isinf(result)) vm.raise_overflow_error("int too large to convert to float");
  return big < 0 ? -result : result;
}

static Value true_divide(Interpreter& vm, const Value& lhs, const Value& rhs) {
  constexpr int64_t kExact = int64_t{1} << 53;
  auto exact = [](const Value& v) {
    return !v.is_object() && v.as_integer() >= -kExact && v.as_integer() <= kExact;
  };
  if (exact(lhs) && exact(rhs)) {
    return Value::real(static_cast<double>(lhs.as_integer()) /
                       static_cast<double>(rhs.as_integer()));
  }
  BigInt a = abs(to_big(lhs));
  BigInt b = abs(to_big(rhs));
  int64_t shift = 66 - (bit_length(lhs) - bit_length(rhs));
  if (shift > 0) a <<= static_cast<unsigned>(shift);
  if (shift < 0) b <<= static_cast<unsigned>(-shift);
  BigInt quotient, remainder;
  divide(vm, a, b, quotient, remainder);
  double result = round_to_double(std::move(quotient), -shift, remainder != 0);
  if (std::isinf(result)) {
    vm.raise_overflow_error("integer division result too large for a float");
  }
  return Value::real(is_negative(lhs) != is_negative(rhs) ? -result : result);
}

// --- powers and shifts ---------------------------------------------------------------------------

[[noreturn]] static void too_long(Interpreter& vm) { vm.raise(vm.types.memory_error, ""); }

static Value int_power(Interpreter& vm, const Value& base, const Value& exponent) {
  if (is_negative(exponent)) {
    return real_binary(vm, BinaryOp::power, int_to_real(vm, base), int_to_real(vm, exponent));
  }
  BigInt b = to_big(base);
  if (b == 0 || b == 1) return Value::integer(to_big(exponent) == 0 ? 1 : static_cast<int64_t>(b));
  if (b == -1) return Value::integer((to_big(exponent) & 1) == 0 ? 1 : -1);
  if (exponent.is_object()) too_long(vm);
  int64_t bits;
  if (__builtin_mul_overflow(bit_length(base), exponent.as_integer(), &bits) || bits > kMostBits) {
    too_long(vm);
  }
  vm.claim(static_cast<size_t>(bits) / 8);
  return from_big(vm, power(vm, std::move(b), static_cast<uint64_t>(exponent.as_integer())));
}

// The modular inverse, by the extended Euclidean algorithm.
static BigInt inverse(Interpreter& vm, const BigInt& number, const BigInt& modulus) {
  BigInt r0 = abs(modulus), r1 = floor_divide(vm, number, r0).second, s0 = 0, s1 = 1;
  BigInt quotient, rest;
  while (r1 != 0) {
    divide(vm, r0, r1, quotient, rest);
    r0.swap(r1);
    r1.swap(rest);
    s0 -= multiply(vm, quotient, s1);
    s0.swap(s1);
  }
  if (r0 != 1) vm.raise_value_error("base is not invertible for the given modulus");
  return floor_divide(vm, s0, modulus).second;
}

Value power_modulo(Interpreter& vm, const Value& base, const Value& exponent,
                   const Value& modulus) {
  BigInt m = to_big(modulus);
  if (m == 0) vm.raise_value_error("pow() 3rd argument cannot be 0");
  BigInt b = floor_divide(vm, to_big(base), m).second;
  BigInt e = to_big(exponent);
  if (e < 0) {
    b = inverse(vm, b, m);
    e = -e;
  }
  BigInt modulo = abs(m);
  b = floor_divide(vm, b, modulo).second;
  BigInt result = floor_divide(vm, 1, modulo).second;
  for (; e != 0; e >>= 1) {
    if (bit_test(e, 0)) result = floor_divide(vm, multiply(vm, result, b), modulo).second;
    b = floor_divide(vm, multiply(vm, b, b), modulo).second;
    vm.poll();
  }
  return from_big(vm, floor_divide(vm, result, m).second);
}

static Value shift_left(Interpreter& vm, const Value& lhs, const Value& rhs) {
  if (is_negative(rhs)) vm.raise_value_error("negative shift count");
  if (!lhs.is_object() && lhs.as_integer() == 0) return Value::integer(0);
  if (rhs.is_object() || rhs.as_integer() > kMostBits) {
    vm.raise_overflow_error("too many digits in integer");
  }
  int64_t count = rhs.as_integer();
  if (bit_length(lhs) + count < 63) return Value::integer(lhs.as_integer() * (int64_t{1} << count));
  vm.claim(static_cast<size_t>(bit_length(lhs) + count) / 8, 2);
  BigInt big = to_big(lhs);
  bool negative = big < 0;
  BigInt magnitude = BigInt(abs(big)) << static_cast<size_t>(count);
  return from_big(vm, negative ? BigInt(-magnitude) : magnitude);
}

static Value shift_right(Interpreter& vm, const Value& lhs, const Value& rhs) {
  if (is_negative(rhs)) vm.raise_value_error("negative shift count");
  bool negative = is_negative(lhs);
  if (rhs.is_object() || rhs.as_integer() >= bit_length(lhs)) {
    return Value::integer(negative ? -1 : 0);
  }
  if (!lhs.is_object()) return Value::integer(lhs.as_integer() >> rhs.as_integer());
  BigInt big = lhs.as<Int>()->value;
  auto count = static_cast<size_t>(rhs.as_integer());
  if (!negative) return from_big(vm, big >> count);
  return from_big(vm, -(BigInt(-big - 1) >> count) - 1);
}

// --- the operators -------------------------------------------------------------------------------

static Value bitwise(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (lhs.is_object() || rhs.is_object()) {
    BigInt a = to_big(lhs), b = to_big(rhs);
    if (op == BinaryOp::bit_and) return from_big(vm, a & b);
    return from_big(vm, op == BinaryOp::bit_or ? BigInt(a | b) : BigInt(a ^ b));
  }
  int64_t a = lhs.as_integer(), b = rhs.as_integer();
  int64_t bits = op == BinaryOp::bit_and ? a & b : op == BinaryOp::bit_or ? a | b : a ^ b;
  if (lhs.is_boolean() && rhs.is_boolean()) return Value::boolean(bits != 0);
  return Value::integer(bits);
}

static Value big_binary(Interpreter& vm, BinaryOp op, const BigInt& a, const BigInt& b) {
  switch (op) {
    case BinaryOp::add: return from_big(vm, a + b);
    case BinaryOp::subtract: return from_big(vm, a - b);
    case BinaryOp::multiply: return from_big(vm, multiply(vm, a, b));
    case BinaryOp::floor_divide: return from_big(vm, floor_divide(vm, a, b).first);
    case BinaryOp::remainder: return from_big(vm, floor_divide(vm, a, b).second);
    default: {
      auto [quotient, remainder] = floor_divide(vm, a, b);
      return vm.tuple({from_big(vm, std::move(quotient)), from_big(vm, std::move(remainder))});
    }
  }
}

// Undefined when the result does not fit.
static Value small_binary(Interpreter& vm, BinaryOp op, int64_t a, int64_t b) {
  int64_t result;
  bool fits = false;
  switch (op) {
    case BinaryOp::add: fits = !__builtin_add_overflow(a, b, &result); break;
    case BinaryOp::subtract: fits = !__builtin_sub_overflow(a, b, &result); break;
    case BinaryOp::multiply: fits = !__builtin_mul_overflow(a, b, &result); break;
    default: {
      if (a == INT64_MIN && b == -1) return Value();
      if (op == BinaryOp::floor_divide) return Value::integer(int_floor_divide(a, b));
      if (op == BinaryOp::remainder) return Value::integer(int_remainder(a, b));
      return vm.tuple(
          {Value::integer(int_floor_divide(a, b)), Value::integer(int_remainder(a, b))});
    }
  }
  return fits ? Value::integer(result) : Value();
}

static void check_divisor(Interpreter& vm, BinaryOp op, const Value& rhs) {
  if (rhs.is_object() || rhs.as_integer() != 0) return;
  if (op == BinaryOp::true_divide) vm.raise_zero_division_error("division by zero");
  if (op == BinaryOp::floor_divide || op == BinaryOp::divmod) {
    vm.raise_zero_division_error("integer division or modulo by zero");
  }
  if (op == BinaryOp::remainder) vm.raise_zero_division_error("integer modulo by zero");
}

Value int_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  switch (op) {
    case BinaryOp::matmul: return Value::not_implemented();
    case BinaryOp::power: return int_power(vm, lhs, rhs);
    case BinaryOp::left_shift: return shift_left(vm, lhs, rhs);
    case BinaryOp::right_shift: return shift_right(vm, lhs, rhs);
    case BinaryOp::bit_and:
    case BinaryOp::bit_or:
    case BinaryOp::bit_xor: return bitwise(vm, op, lhs, rhs);
    default: break;
  }
  check_divisor(vm, op, rhs);
  if (op == BinaryOp::true_divide) return true_divide(vm, lhs, rhs);
  if (!lhs.is_object() && !rhs.is_object()) {
    Value result = small_binary(vm, op, lhs.as_integer(), rhs.as_integer());
    if (result.is_defined()) return result;
  }
  if (!lhs.is_object()) return big_binary(vm, op, lhs.as_integer(), to_big(rhs));
  if (!rhs.is_object()) return big_binary(vm, op, lhs.as<Int>()->value, rhs.as_integer());
  return big_binary(vm, op, lhs.as<Int>()->value, rhs.as<Int>()->value);
}

}  // namespace gpy
