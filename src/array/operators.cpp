#include "src/array/operators.h"

#include <array>
#include <cmath>

#include "runtime/graph/write.h"
#include "runtime/ops/at_once.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/products.h"
#include "src/array/array_classes.h"
#include "src/array/errors.h"
#include "src/array/nested.h"
#include "src/array/object_operands.h"
#include "src/objects/int.h"
#include "src/types/sequence.h"

namespace gpy {

const rt::Ufunc& ufunc_of(BinaryOp op) {
  static const std::array<const rt::Ufunc*, 13> kUfuncs = {
      &rt::ufunc(rt::Row::add),          &rt::ufunc(rt::Row::subtract),
      &rt::ufunc(rt::Row::multiply),     &rt::ufunc(rt::Row::divide),
      &rt::ufunc(rt::Row::floor_divide), &rt::ufunc(rt::Row::remainder),
      &rt::ufunc(rt::Row::power),        nullptr,
      &rt::ufunc(rt::Row::left_shift),   &rt::ufunc(rt::Row::right_shift),
      &rt::ufunc(rt::Row::bitwise_and),  &rt::ufunc(rt::Row::bitwise_or),
      &rt::ufunc(rt::Row::bitwise_xor)};
  return *kUfuncs[static_cast<int>(op)];
}

const rt::Ufunc& ufunc_of(CompareOp op) {
  static const std::array<const rt::Ufunc*, 6> kUfuncs = {
      &rt::ufunc(rt::Row::equal),   &rt::ufunc(rt::Row::not_equal),
      &rt::ufunc(rt::Row::less),    &rt::ufunc(rt::Row::less_equal),
      &rt::ufunc(rt::Row::greater), &rt::ufunc(rt::Row::greater_equal)};
  return *kUfuncs[static_cast<int>(op)];
}

const rt::Ufunc& ufunc_of(UnaryOp op) {
  static const std::array<const rt::Ufunc*, 3> kUfuncs = {
      &rt::ufunc(rt::Row::negative), &rt::ufunc(rt::Row::positive), &rt::ufunc(rt::Row::invert)};
  return *kUfuncs[static_cast<int>(op)];
}

std::string_view ufunc_name(BinaryOp op) {
  if (op == BinaryOp::matmul) return "matmul";
  return op == BinaryOp::divmod ? "divmod" : ufunc_of(op).name;
}

namespace {

// The space for a sequence beside an array: the array's own.
rt::Space space_beside(const Value& lhs, const Value& rhs) {
  if (const Ndarray* array = as_ndarray(lhs)) return array->array.space();
  if (const Ndarray* array = as_ndarray(rhs)) return array->array.space();
  return rt::Space::host();
}

// Two operands, either of which may have been converted.
struct Pair {
  std::optional<rt::Operand> lhs, rhs;
  bool complete() const { return lhs && rhs; }
  std::array<rt::Term, 2> terms() const { return {rt::Term(*lhs), rt::Term(*rhs)}; }
};

// Two values that are operands without a conversion.
struct PlainPair {
  std::array<rt::Term, 2> terms;
  bool read(const Value& lhs, const Value& rhs) {
    return read_term(lhs, terms[0]) && read_term(rhs, terms[1]);
  }
};

std::optional<rt::DType> number_type(Interpreter& vm, const Value& value) {
  if (const Ndarray* array = as_ndarray(value)) return array->array.dtype();
  if (const Generic* scalar = as_generic(value)) return scalar->dtype();
  if (value.is_integer()) return rt::DType::kInt64;
  if (value.is_real()) return rt::DType::kFloat64;
  if (value.is<Complex>()) return rt::DType::kComplex128;
  if (!value.is<List>() && !value.is<Tuple>()) return std::nullopt;
  return array_from_nested(vm, value, std::nullopt, rt::Space::host()).dtype();
}

Pair operands_of(Interpreter& vm, const Value& lhs, const Value& rhs, Use use) {
  const rt::Space space = space_beside(lhs, rhs);
  auto operand = [&](const Value& value, const Value& other) {
    const auto huge = huge_number(vm, value, other, use);
    return huge ? rt::Operand(*huge) : try_operand_or_sequence(vm, value, space);
  };
  return {operand(lhs, rhs), operand(rhs, lhs)};
}

rt::Array apply_terms(Interpreter& vm, const rt::Ufunc& ufunc, std::span<const rt::Term> terms,
                      const rt::Array* out = nullptr) {
  rt::UfuncOptions options;
  options.out = out;
  return rt::apply(session(vm), ufunc, terms, options, rt::Space::host());
}

// NumPy's shortcuts for `array ** number`: exact, and as fast as they look. A bool's square is
// int8.
const rt::Ufunc* power_shortcut(rt::DType base, const rt::Scalar& exponent) {
  if (exponent.weakness() == rt::Weak::kNo || exponent.weakness() == rt::Weak::kComplex)
    return nullptr;
  const double value = exponent.as_double();
  const bool inexact = rt::is_inexact(base);
  // A float number makes bfloat16 a float32.
  if (!rt::is_numpys_own(base) && exponent.weakness() != rt::Weak::kInt) return nullptr;
  if (!inexact && exponent.weakness() != rt::Weak::kInt) return nullptr;
  if (value == 2) return &rt::ufunc(rt::Row::square);
  if (!inexact) return nullptr;
  if (value == 1) return &rt::ufunc(rt::Row::positive);
  if (value == 0.5) return &rt::ufunc(rt::Row::sqrt);
  if (value == -1) return &rt::ufunc(rt::Row::reciprocal);
  return nullptr;
}

rt::Array apply_binary(Interpreter& vm, BinaryOp op, std::span<const rt::Term, 2> pair,
                       const rt::Array* out = nullptr) {
  if (op == BinaryOp::power && pair[0].is_array() && !pair[1].is_array()) {
    const rt::Ufunc* shortcut = power_shortcut(pair[0].dtype(), pair[1].scalar());
    if (shortcut) return apply_terms(vm, *shortcut, pair.first(1), out);
  }
  return apply_terms(vm, ufunc_of(op), pair, out);
}

rt::Array multiply_matrices(Interpreter& vm, const Pair& pair) {
  const rt::Space space = rt::common_space(std::array{*pair.lhs, *pair.rhs}, rt::Space::host());
  return rt::matmul(session(vm), as_array(vm, *pair.lhs, space), as_array(vm, *pair.rhs, space));
}

bool is_elementwise(BinaryOp op) { return op != BinaryOp::matmul && op != BinaryOp::divmod; }

[[noreturn]] void refuse_text(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op == BinaryOp::add && lhs.is<Str>() && as_generic(rhs)) raise_concatenation(vm, "str", rhs);
  if (op == BinaryOp::matmul) raise_no_loop(vm, "matmul", Refusal::dtypes, {lhs, rhs});
  if (op == BinaryOp::divmod) raise_no_loop(vm, "divmod", Refusal::plain, {lhs, rhs});
  raise_no_loop(vm, ufunc_of(op), {lhs, rhs});
}

// Two values of which one is no number: raises NumPy's error for text, else NotImplemented.
Value refuse(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (is_text(lhs) || is_text(rhs)) refuse_text(vm, op, lhs, rhs);
  return Value::not_implemented();
}

}  // namespace

std::optional<rt::Scalar> huge_number(Interpreter& vm, const Value& value, const Value& other,
                                      Use use) {
  const Int* number = value.try_as<Int>();
  if (!number || !is_beyond_64_bits(*number)) return std::nullopt;
  const auto beside = number_type(vm, other);
  if (!beside) return std::nullopt;
  if (use == Use::kDivision || rt::is_inexact(*beside)) {
    const auto real = number->value.convert_to<double>();
    if (std::isinf(real)) vm.raise_overflow_error("int too large to convert to float");
    return rt::Scalar::weak(real);
  }
  if (use == Use::kArithmetic || *beside == rt::DType::kBool) return std::nullopt;
  return rt::Scalar::weak(number->value > 0 ? INFINITY : -INFINITY);
}

Use use_of(BinaryOp op) { return op == BinaryOp::true_divide ? Use::kDivision : Use::kArithmetic; }

bool read_term(const Value& value, rt::Term& term) {
  if (const Ndarray* array = as_ndarray(value)) {
    term = array->array;
    return true;
  }
  if (const Generic* scalar = as_generic(value)) {
    if (scalar->pending()) return false;
    term = scalar->ready_number();
    return true;
  }
  if (value.is_real()) {
    term = rt::Scalar::weak(value.as_real());
  } else if (value.is_integer()) {
    term = rt::Scalar::weak(value.as_integer());
  } else {
    return false;
  }
  return true;
}

// Whether both are arrays of the host, with nothing to convert.
static bool are_host_arrays(const Value& lhs, const Value& rhs) {
  const Ndarray *a = as_ndarray(lhs), *b = as_ndarray(rhs);
  return a && b && a->array.space().is_host() && b->array.space().is_host();
}

Value array_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (PlainPair pair; is_elementwise(op) && pair.read(lhs, rhs)) {
    return wrap_result(vm, apply_binary(vm, op, pair.terms));
  }
  if (op == BinaryOp::matmul && are_host_arrays(lhs, rhs)) {
    return wrap_result(vm, rt::matmul(session(vm), as_ndarray(lhs)->array, as_ndarray(rhs)->array));
  }
  Value answer = operate_beside_object(vm, ufunc_name(op), lhs, rhs);
  if (answer.is_defined()) return answer;
  const Pair pair = operands_of(vm, lhs, rhs, use_of(op));
  if (!pair.complete()) return refuse(vm, op, lhs, rhs);
  if (op == BinaryOp::matmul) return wrap_result(vm, multiply_matrices(vm, pair));
  if (op == BinaryOp::divmod) {
    Value quotient = wrap_result(vm, apply_binary(vm, BinaryOp::floor_divide, pair.terms()));
    return vm.tuple(
        {quotient, wrap_result(vm, apply_binary(vm, BinaryOp::remainder, pair.terms()))});
  }
  return wrap_result(vm, apply_binary(vm, op, pair.terms()));
}

// Refuses a left operand without axes and a right operand with one axis.
static void need_matrix_target(Interpreter& vm, const rt::Array& target, const rt::Operand& by) {
  const int right = by.is_array() ? by.array().rank() : 0;
  if (right == 0 || (target.rank() >= 1 && right >= 2)) return;
  vm.raise_value_error(
      "inplace matrix multiplication requires the first operand to have at least one and the "
      "second at least two dimensions.");
}

Value array_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  const rt::Array& target = as_ndarray(lhs)->array;
  if (PlainPair pair; is_elementwise(op) && pair.read(lhs, rhs)) {
    apply_binary(vm, op, pair.terms, &target);
    return lhs;
  }
  Value answer = operate_beside_object(vm, ufunc_name(op), lhs, rhs, &lhs);
  if (answer.is_defined()) return answer;
  const Pair pair = operands_of(vm, lhs, rhs, use_of(op));
  if (!pair.complete()) return refuse(vm, op, lhs, rhs);
  if (op == BinaryOp::matmul) {
    need_matrix_target(vm, target, *pair.rhs);
    rt::write(session(vm), target, multiply_matrices(vm, pair));
  } else {
    apply_binary(vm, op, pair.terms(), &target);
  }
  return lhs;
}

Value array_unary(Interpreter& vm, UnaryOp op, const Value& self) {
  const rt::Term term = as_ndarray(self)->array;
  return wrap_result(vm, apply_terms(vm, ufunc_of(op), {&term, 1}));
}

Value array_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  if (PlainPair pair; pair.read(self, other)) {
    return wrap_result(vm, apply_terms(vm, ufunc_of(op), pair.terms));
  }
  Value answer = operate_beside_object(vm, ufunc_of(op).name, self, other);
  if (answer.is_defined()) return answer;
  const Pair pair = operands_of(vm, self, other, Use::kComparison);
  if (pair.complete()) return wrap_result(vm, apply_terms(vm, ufunc_of(op), pair.terms()));
  const bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality && is_text(other)) raise_no_loop(vm, ufunc_of(op), {self, other});
  // Every element differs from text and from None.
  if (!equality || (!is_text(other) && !other.is_none())) return Value::not_implemented();
  const rt::Array& array = as_ndarray(self)->array;
  return wrap_result(vm,
                     rt::full(session(vm), array.shape(), rt::Scalar(op == CompareOp::not_equal),
                              rt::DType::kBool, array.space()));
}

}  // namespace gpy
