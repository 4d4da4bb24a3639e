// Arithmetic on NumPy's scalars. float64 and int64, by themselves or with Python's numbers, are
// done here at once, since loops over single elements spend their time on them; everything else
// runs the ufunc's own loop on one element.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "runtime/graph/events.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/integer_range.h"
#include "runtime/tiles/tiles.h"
#include "src/array/array_classes.h"
#include "src/array/errors.h"
#include "src/array/object_operands.h"
#include "src/array/operators.h"
#include "src/array/sequence_objects.h"

namespace gpy {

namespace {

// Whether the exact result of an integer operation is outside the dtype. One operand: b is a.
bool wraps(const rt::Ufunc& ufunc, rt::DType dtype, const rt::Scalar& a, const rt::Scalar& b) {
  __int128 x = a.as_int(), y = b.as_int();
  if (dtype == rt::DType::kUInt64) x = a.as_unsigned(), y = b.as_unsigned();
  __int128 exact;
  if (ufunc.is(rt::Row::add)) {
    exact = x + y;
  } else if (ufunc.is(rt::Row::subtract)) {
    exact = x - y;
  } else if (ufunc.is(rt::Row::multiply)) {
    if (dtype == rt::DType::kUInt64) return y != 0 && x > (__int128{~uint64_t{0}} / y);
    exact = x * y;
  } else if (ufunc.is(rt::Row::negative)) {
    exact = -x;
  } else if (ufunc.is(rt::Row::absolute)) {
    exact = x < 0 ? -x : x;
  } else {
    return false;
  }
  const int bits = static_cast<int>(rt::item_size(dtype)) * 8;
  const bool is_unsigned = rt::kind(dtype) == rt::DTypeKind::kUnsigned;
  const __int128 high = (__int128{1} << (is_unsigned ? bits : bits - 1)) - 1;
  return exact > high || exact < (is_unsigned ? 0 : -high - 1);
}

// The value as float64 arithmetic sees it; false for values that take another path.
bool read_double(Arrays& state, const Value& value, double& number) {
  if (value.is_real()) {
    number = value.as_real();
    return true;
  }
  if (value.is_integer()) {
    number = static_cast<double>(value.as_integer());
    return true;
  }
  Generic* scalar = as_generic(value);
  if (!scalar || scalar->dtype() != rt::DType::kFloat64) return false;
  number = scalar->number(state).float64();
  return true;
}

bool read_int(Arrays& state, const Value& value, int64_t& number) {
  if (value.is_integer()) {
    number = value.as_integer();
    return true;
  }
  Generic* scalar = as_generic(value);
  if (!scalar || scalar->dtype() != rt::DType::kInt64) return false;
  number = scalar->number(state).int64();
  return true;
}

bool is_float64(const Value& value) {
  const Generic* scalar = as_generic(value);
  return scalar && scalar->dtype() == rt::DType::kFloat64;
}

// The operator's loop for two numbers of one dtype.
template <class T> T apply_loop(BinaryOp op, rt::DType dtype, T a, T b) {
  const auto& loops = ufunc_of(op).loops;
  const auto loop =
      std::ranges::find(loops, dtype, [](const rt::UfuncLoop& each) { return each.in[0]; });
  const void* const in[] = {&a, &b};
  T result;
  loop->number(in, &result, 1);
  return result;
}

// The result; undefined where a flag may have to be reported or the operator is not one of these.
Value quick_double(Interpreter& vm, BinaryOp op, double a, double b) {
  double result;
  switch (op) {
    case BinaryOp::add: result = a + b; break;
    case BinaryOp::subtract: result = a - b; break;
    case BinaryOp::multiply:
      result = a * b;
      if (result == 0 && a != 0 && b != 0) return Value();
      break;
    case BinaryOp::true_divide:
      result = a / b;
      if (result == 0 && a != 0) return Value();
      break;
    case BinaryOp::floor_divide:
    case BinaryOp::remainder:
      if (b == 0 || !std::isfinite(a) || !std::isfinite(b)) return Value();
      result = apply_loop(op, rt::DType::kFloat64, a, b);
      if (result == 0 && a != 0) return Value();
      break;
    case BinaryOp::power:
      result = apply_loop(op, rt::DType::kFloat64, a, b);
      if (result == 0 && a != 0) return Value();
      break;
    default: return Value();
  }
  const bool tiny = std::fabs(result) < 0x1p-1000 && result != 0;
  if (!std::isfinite(result) || tiny) return Value();
  return wrap_float64(vm, result);
}

// a // b or a % b, whose sign is that of b.
int64_t divided_down(BinaryOp op, int64_t a, int64_t b) {
  const bool between = a % b != 0 && (a < 0) != (b < 0);
  if (op == BinaryOp::floor_divide) return a / b - between;
  return a % b + (between ? b : 0);
}

Value quick_int(Interpreter& vm, BinaryOp op, int64_t a, int64_t b) {
  int64_t result;
  bool wrapped;
  switch (op) {
    case BinaryOp::add: wrapped = __builtin_add_overflow(a, b, &result); break;
    case BinaryOp::subtract: wrapped = __builtin_sub_overflow(a, b, &result); break;
    case BinaryOp::multiply: wrapped = __builtin_mul_overflow(a, b, &result); break;
    case BinaryOp::bit_and: return wrap_int64(vm, a & b);
    case BinaryOp::bit_or: return wrap_int64(vm, a | b);
    case BinaryOp::bit_xor: return wrap_int64(vm, a ^ b);
    case BinaryOp::floor_divide:
    case BinaryOp::remainder:
      if (b == 0 || b == -1) return Value();
      return wrap_int64(vm, divided_down(op, a, b));
    case BinaryOp::left_shift:
    case BinaryOp::right_shift: return wrap_int64(vm, apply_loop(op, rt::DType::kInt64, a, b));
    case BinaryOp::power:
      if (b < 0) return Value();
      return wrap_int64(vm, apply_loop(op, rt::DType::kInt64, a, b));
    case BinaryOp::true_divide:
      return quick_double(vm, op, static_cast<double>(a), static_cast<double>(b));
    default: return Value();
  }
  if (wrapped) return Value();
  return wrap_int64(vm, result);
}

Value quick_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  Arrays& state = arrays(vm);
  if (is_float64(lhs) || is_float64(rhs)) {
    double a, b;
    if (read_double(state, lhs, a) && read_double(state, rhs, b)) return quick_double(vm, op, a, b);
    return Value();
  }
  int64_t i, j;
  if (read_int(state, lhs, i) && read_int(state, rhs, j)) return quick_int(vm, op, i, j);
  return Value();
}

// Whether a number is exact as a double; ints beyond 2^53 are compared in another way.
bool is_exact(const Value& value) {
  constexpr int64_t kMost = int64_t{1} << 53;
  return !value.is_integer() || (value.as_integer() <= kMost && value.as_integer() >= -kMost);
}

bool is_array_like(const Value& value) {
  if (!value.is_object()) return false;
  const ObjectLayout layout = value.as_object()->layout;
  return layout == kNdarrayLayout || layout == ObjectLayout::list || layout == ObjectLayout::tuple;
}

std::optional<std::array<rt::Operand, 2>> number_pair(Interpreter& vm, const Value& lhs,
                                                      const Value& rhs, Use use) {
  const auto number = [&](const Value& value, const Value& other) {
    const auto huge = huge_number(vm, value, other, use);
    return huge ? huge : try_number(vm, value);
  };
  const auto a = number(lhs, rhs), b = number(rhs, lhs);
  if (!a || !b) return std::nullopt;
  return std::array{rt::Operand(*a), rt::Operand(*b)};
}

// Applies a ufunc where one operand is a float: ints may have to report that they wrapped.
std::optional<rt::Scalar> quick_floats(Interpreter& vm, const rt::Ufunc& ufunc, const Value& lhs,
                                       const Value& rhs) {
  std::array<rt::Term, 2> terms;
  if (!is_float64(lhs) && !is_float64(rhs)) return std::nullopt;
  if (!read_term(lhs, terms[0]) || !read_term(rhs, terms[1])) return std::nullopt;
  if (terms[0].is_array() || terms[1].is_array()) return std::nullopt;
  return try_apply_to_terms(arrays(vm), ufunc, terms, kScalarPrefix);
}

// A float of Python's becomes the other number's type before the two are computed with.
void tell_weak_casts(Arrays& state, const std::array<rt::Operand, 2>& pair) {
  for (int i = 0; i < 2; ++i) {
    const rt::Scalar &number = pair[i].scalar(), &other = pair[1 - i].scalar();
    const bool is_weak = number.weakness() > rt::Weak::kInt;
    if (is_weak && rt::is_inexact(other.dtype())) {
      tell_overflowing_cast(state, number, other.dtype());
    }
  }
}

Value apply_scalar(Interpreter& vm, BinaryOp op, const std::array<rt::Operand, 2>& pair) {
  tell_weak_casts(arrays(vm), pair);
  return wrap_scalar(vm,
                     apply_to_numbers(arrays(vm), ufunc_of(op), pair, std::nullopt, kScalarPrefix));
}

void tell_numbers_events(Arrays& state, const rt::Ufunc& ufunc, int events,
                         std::string_view prefix) {
  if (events) rt::tell_events(state, events, fmt::format("{}{}", prefix, ufunc.name), {});
}

}  // namespace

rt::Scalar apply_to_numbers(Arrays& state, const rt::Ufunc& ufunc,
                            std::span<const rt::Operand> inputs, std::optional<rt::DType> dtype,
                            std::string_view prefix) {
  const rt::Terms terms(inputs);
  const rt::ResolvedLoop loop = rt::resolve_loop(ufunc, terms, dtype);
  const rt::UfuncLoop& signature = loop.signature();
  alignas(16) std::byte in[3][16];
  alignas(16) std::byte out[16];
  const void* pointers[3];
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].scalar().store(signature.in[i], in[i]);
    pointers[i] = in[i];
  }
  rt::check_exponents(state, loop, terms, nullptr);
  rt::clear_events();
  signature.number(pointers, out, 1);
  int events = ufunc.quiet ? 0 : rt::raised_events();
  if (rt::is_integer(signature.out) && prefix == kScalarPrefix) {
    const size_t last = inputs.size() - 1;
    const rt::Scalar a = rt::Scalar::load(signature.in[0], in[0]);
    const rt::Scalar b = rt::Scalar::load(signature.in[last], in[last]);
    if (wraps(ufunc, signature.out, a, b)) events |= FE_OVERFLOW;
  }
  tell_numbers_events(state, ufunc, events, prefix);
  return rt::Scalar::load(signature.out, out);
}

std::optional<rt::Scalar> try_apply_to_terms(Arrays& state, const rt::Ufunc& ufunc,
                                             std::span<const rt::Term> numbers,
                                             std::string_view prefix) {
  const rt::UfuncLoop* loop = rt::quick_loop(ufunc, numbers);
  if (!loop || rt::checks_exponents(ufunc, *loop)) return std::nullopt;
  alignas(16) std::byte in[3][16];
  alignas(16) std::byte out[16];
  const void* pointers[3];
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i].scalar().store(loop->in[i], in[i]);
    pointers[i] = in[i];
  }
  rt::clear_events();
  loop->number(pointers, out, 1);
  const int events = ufunc.quiet ? 0 : rt::raised_events();
  tell_numbers_events(state, ufunc, events, prefix);
  return rt::Scalar::load(loop->out, out);
}

// Whether a value repeats itself when an int multiplies it: a list, a text, a deque too.
static bool repeats_itself(Interpreter& vm, const Value& value) {
  if (value.is<List>() || value.is<Tuple>() || is_text(value)) return true;
  return is_operand_object(vm, value) && vm.type_of(value)->slots.inplace;
}

static bool divides_down(BinaryOp op) {
  return op == BinaryOp::floor_divide || op == BinaryOp::remainder || op == BinaryOp::divmod;
}

static bool is_complex(const rt::Operand& operand) { return rt::is_complex(operand.dtype()); }

Value scalar_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  Value quick = quick_binary(vm, op, lhs, rhs);
  if (quick.is_defined()) return quick;
  const bool repeats =
      op == BinaryOp::multiply && (repeats_itself(vm, lhs) || repeats_itself(vm, rhs));
  if (repeats) return Value::not_implemented();
  if (is_of_array_class(lhs) || is_of_array_class(rhs)) return Value::not_implemented();
  if (is_array_like(lhs) || is_array_like(rhs) || op == BinaryOp::matmul) {
    return array_binary(vm, op, lhs, rhs);
  }
  if (op != BinaryOp::divmod) {
    if (auto number = quick_floats(vm, ufunc_of(op), lhs, rhs)) return wrap_scalar(vm, *number);
  }
  const auto pair = number_pair(vm, lhs, rhs, use_of(op));
  if (!pair) return array_binary(vm, op, lhs, rhs);
  if (divides_down(op) && (is_complex((*pair)[0]) || is_complex((*pair)[1]))) {
    return Value::not_implemented();
  }
  if (op != BinaryOp::divmod) return apply_scalar(vm, op, *pair);
  return vm.tuple({apply_scalar(vm, BinaryOp::floor_divide, *pair),
                   apply_scalar(vm, BinaryOp::remainder, *pair)});
}

Value apply_to_scalar(Interpreter& vm, const rt::Ufunc& ufunc, const Value& self) {
  const rt::Operand operand = as_generic(self)->number(arrays(vm));
  return wrap_scalar(
      vm, apply_to_numbers(arrays(vm), ufunc, {&operand, 1}, std::nullopt, kScalarPrefix));
}

Value scalar_unary(Interpreter& vm, UnaryOp op, const Value& self) {
  if (is_float64(self) && op != UnaryOp::invert) {
    const double number = as_generic(self)->number(arrays(vm)).float64();
    return wrap_float64(vm, op == UnaryOp::negative ? -number : number);
  }
  int64_t number;
  if (op == UnaryOp::negative && read_int(arrays(vm), self, number) && number != INT64_MIN) {
    return wrap_int64(vm, -number);
  }
  return apply_to_scalar(vm, ufunc_of(op), self);
}

Value scalar_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  Arrays& state = arrays(vm);
  int64_t i, j;
  if (read_int(state, self, i) && read_int(state, other, j)) {
    return wrap_boolean(vm, holds(op, i <=> j));
  }
  double a, b;
  if (is_float64(self) && is_exact(other) && read_double(state, self, a) &&
      read_double(state, other, b)) {
    return wrap_boolean(vm, holds(op, a <=> b));
  }
  if (is_of_array_class(other)) return Value::not_implemented();
  if (is_array_like(other)) {
    return as_ndarray(other)
               ? array_compare(vm, swapped(op), other, self)
               : array_compare(vm, op, wrap_array(vm, as_generic(self)->array(state)), other);
  }
  Value answer = compare_scalar_beside_object(vm, op, self, other);
  if (answer.is_defined()) return answer;
  const auto pair = number_pair(vm, self, other, Use::kComparison);
  if (pair) {
    return wrap_scalar(vm, apply_to_numbers(state, ufunc_of(op), *pair, std::nullopt));
  }
  const bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (equality && is_text(other)) return wrap_boolean(vm, op == CompareOp::not_equal);
  if (other.is<Str>()) raise_no_loop(vm, ufunc_of(op), {self, other});
  return Value::not_implemented();
}

}  // namespace gpy
