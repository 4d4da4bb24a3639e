// Expressions: operators, names, elements.
#include <algorithm>
#include <charconv>
#include <complex>

#include "runtime/core/error.h"
#include "runtime/typed/call_frame.h"
#include "runtime/kernel/generated.h"
#include "src/array/convert.h"
#include "src/array/operators.h"
#include "src/lower/operators.h"
#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "src/translate/intrinsic.h"
#include "src/translate/signs.h"
#include "src/translate/type_specs.h"

namespace gpy {

using Kind = TypedExpression::Kind;

TypedExpression FunctionTranslator::expression(const syntax::Expr& node) {
  vm_.check_stack();
  return syntax::visit(node, [&](const auto& known) { return visit_expression(known); });
}

void FunctionTranslator::refuse_expression(const syntax::Expr& node) {
  fail_translation(node.span, "a compiled body cannot hold this expression ({})",
                   syntax::kind_name(node.kind));
}

TypedExpression FunctionTranslator::number(const syntax::Expr& node) {
  TypedExpression out = expression(node);
  if (out.type.is_number()) return out;
  fail_translation(node.span, "this is {}, and a number is needed", rt::typed::type_text(out.type));
}

TypedExpression FunctionTranslator::condition(const syntax::Expr& node) {
  return truth_of(number(node));
}

static uint64_t wide_literal(const syntax::Constant& node) {
  const bool is_hex = node.text.starts_with("0x");
  const std::string_view digits = node.text.substr(is_hex ? 2 : 0);
  uint64_t out = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, is_hex ? 16 : 10);
  if (error != std::errc()) fail_translation(node.span, "this int needs more than 64 bits");
  return out;
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Constant& node) {
  using enum syntax::ConstantKind;
  switch (node.constant_kind) {
    case True: return TypedExpression::constant(rt::Scalar(true));
    case False: return TypedExpression::constant(rt::Scalar(false));
    case Integer: return literal(dialect_, rt::Scalar::weak(node.integer));
    case Float: return literal(dialect_, rt::Scalar::weak(node.real));
    case Imaginary: return literal(dialect_, rt::Scalar::weak(std::complex<double>(0, node.real)));
    case BigInteger: return literal(dialect_, rt::Scalar::weak_unsigned(wide_literal(node)));
    case None: fail_translation(node.span, "None has no place in a compiled body");
    case String:
      fail_translation(node.span,
                       "text is not supported in a compiled body, which works on numbers and "
                       "arrays: use a number, or decide before the call");
    default: fail_translation(node.span, "a compiled body works on numbers and arrays");
  }
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Name& node) {
  if (const int variable = variables_.find(node.id); variable >= 0)
    return read(variable, node.span);
  const Value value = static_value(node);
  if (value.is_undefined()) fail_translation(node.span, "name '{}' is not defined", node.id);
  return constant_value(value, node.span);
}

TypedExpression FunctionTranslator::read(int variable, syntax::Span place) {
  if (variable < 0)
    fail_translation(place, "'{}' has no value yet", source_.tree->source->text(place));
  const size_t index = static_cast<size_t>(variable);
  const bool known = has_strong_literals(dialect_) ? flow_.maybe[index] : flow_.surely[index];
  if (!variables_.type(variable) && unknown_) throw *unknown_;
  if (!known && unknown_) throw *unknown_;
  if (!known || !variables_.type(variable)) {
    fail_translation(place, "'{}' may be read here before it has a value",
                     variables_.name(variable));
  }
  return TypedExpression::variable(variable, *variables_.type(variable));
}

TypedExpression FunctionTranslator::constant_value(const Value& value, syntax::Span place) {
  if (const Tuple* tuple = value.try_as<Tuple>()) {
    std::vector<TypedExpression> items;
    for (size_t i = 0; i < tuple->size; ++i)
      items.push_back(constant_value(const_cast<Tuple&>(*tuple)[i], place));
    const Type& type = *vm_.type_of(value);
    return is_named_tuple(vm_, type) ? named_tuple_of(type, std::move(items))
                                     : tuple_of(std::move(items));
  }
  if (const auto* intrinsic = value.try_as<IntrinsicObject>()) {
    const Intrinsic* known = find_intrinsic(intrinsic->name);
    if (known && !known->call) return intrinsic_value(*known, place);
  }
  const Ndarray* array = as_ndarray(value);
  if (array && array->array.rank() > 0) return frozen_array(array->array);
  const std::optional<rt::Scalar> number = try_number(vm_, value);
  if (number) return literal(dialect_, *number);
  if (value.is<Str>())
    fail_translation(place, "text is not supported in a compiled body, and this is a str");
  fail_translation(place, "a compiled body cannot use this {}: pass it as an argument",
                   vm_.type_name(value));
}

TypedExpression FunctionTranslator::frozen_array(const rt::Array& array) {
  constexpr int64_t kMostBytes = 1 << 16;
  if (array.bytes() > kMostBytes)
    fail_translation({}, "an array of the module with {} bytes: pass it as an argument",
                     array.bytes());
  const rt::Array dense = rt::dense_in(session(vm_), array, rt::Space::host());
  const rt::LentMemory lent(session(vm_), dense, rt::kHostPlace, rt::LentMemory::Use::kRead);
  rt::typed::Storage storage;
  storage.kind = rt::typed::Storage::Kind::kConstant;
  storage.dtype = array.dtype().native();
  storage.count = array.size();
  storage.bytes.assign(static_cast<const char*>(lent.address()),
                       static_cast<size_t>(dense.bytes()));
  TypedExpression out = memory(std::move(storage), {array.shape().begin(), array.shape().end()});
  out.type.constant = true;
  return out;
}

// --- operators -----------------------------------------------------------------------------------

TypedExpression FunctionTranslator::row(const rt::Ufunc& ufunc, std::vector<TypedExpression> args,
                                        RowUse use, syntax::Span place) {
  if (any_array(args)) return array_row(ufunc, std::move(args), place);
  for (const TypedExpression& each : args) {
    if (each.type.is_number()) continue;
    fail_translation(place, "'{}' of {}: index the elements in a loop", ufunc.name,
                     rt::typed::type_text(each.type));
  }
  try {
    return as_python(apply_row(dialect_, ufunc, std::move(args), use));
  } catch (const rt::Error& error) {
    fail_translation(place, "{}", error.message());
  }
}

// Rows multiply complex numbers with fewer roundings than Python does.
TypedExpression FunctionTranslator::as_python(TypedExpression value) const {
  if (program_.target != Target::kFunction || !rt::is_complex(value.type.dtype)) return value;
  if (dialect_ == Dialect::kLanguage) return value;
  const bool is_square = value.ufunc->is(rt::Row::square);
  if (!is_square && !value.ufunc->is(rt::Row::multiply)) return value;
  return support_call(is_square ? "plain_square" : "plain_product", value.type,
                      std::move(value.args));
}

// cupyx.jit computes what is made of constants alone while it compiles, by Python's rules.
Value FunctionTranslator::folded(const syntax::Expr& node) {
  if (const auto* constant = syntax::try_as<syntax::Constant>(&node)) {
    if (constant->constant_kind == syntax::ConstantKind::Integer)
      return Value::integer(constant->integer);
    return constant->constant_kind == syntax::ConstantKind::Float ? Value::real(constant->real)
                                                                  : Value();
  }
  if (const auto* operation = syntax::try_as<syntax::BinOp>(&node)) {
    const Value left = folded(*operation->left);
    const Value right = left.is_defined() ? folded(*operation->right) : Value();
    if (right.is_undefined()) return Value();
    return vm_.binary(binary_operator(operation->op), left, right);
  }
  if (const auto* sign = syntax::try_as<syntax::UnaryOp>(&node)) {
    const Value value = sign->op == syntax::UnaryOperator::USub ? folded(*sign->operand) : Value();
    return value.is_defined() ? vm_.unary(UnaryOp::negative, value) : Value();
  }
  const bool is_named =
      node.kind == syntax::ExprKind::Name || node.kind == syntax::ExprKind::Attribute;
  const Value value = is_named ? static_value(node) : Value();
  const bool is_number = value.is_defined() && (value.is_integer() || value.is_real());
  return is_number ? value : Value();
}

TypedExpression FunctionTranslator::visit_expression(const syntax::BinOp& node) {
  if (const Value value = is_jit(dialect_) ? folded(node) : Value(); value.is_defined())
    return constant_value(value, node.span);
  TypedExpression left = expression(*node.left);
  const size_t before = block_->size();
  TypedExpression right = expression(*node.right);
  return binary(node.op, in_order(std::move(left), before, node.left->span), std::move(right),
                node.span);
}

TypedExpression FunctionTranslator::in_order(TypedExpression left, size_t before,
                                             syntax::Span place) {
  const size_t after = block_->size();
  const bool may_change = left.kind != Kind::kNumber && left.kind != Kind::kVariable;
  if (after == before || !may_change || conditional_ > 0) return left;
  left = kept(std::move(left), place);
  if (block_->size() == after) return left;
  std::rotate(block_->begin() + static_cast<long>(before),
              block_->begin() + static_cast<long>(after), block_->end());
  return left;
}

static bool is_constant(const TypedExpression& value, int64_t number) {
  return value.kind == Kind::kNumber && rt::is_integer(value.type.dtype) &&
         value.number.as_int() == number;
}

static bool is_integer_below_zero(const TypedExpression& value) {
  return value.kind == Kind::kNumber && rt::is_integer(value.type.dtype) &&
         value.number.as_int() < 0;
}

// Of ints where literals are strong: in the type that the operands meet in.
TypedExpression FunctionTranslator::whole_power(TypedExpression base, TypedExpression exponent,
                                                syntax::Span place) {
  const bool is_square = is_constant(exponent, 2);
  const bool both_known = base.kind == Kind::kNumber && exponent.kind == Kind::kNumber;
  if (both_known && is_integer_below_zero(exponent))
    return row(rt::ufunc(rt::Row::power),
               {cast_to(std::move(base), float_type(dialect_)), std::move(exponent)},
               RowUse::kOperator, place);
  std::vector<TypedExpression> both = {std::move(base), std::move(exponent)};
  widen_operands(dialect_, both);
  if (is_square)
    return row(rt::ufunc(rt::Row::square), {std::move(both[0])}, RowUse::kOperator, place);
  const TypedType type = both[0].type;
  const bool raises = program_.target == Target::kFunction && !program_.options.divides_as_numpy;
  if (raises) return failing_call("checked_power", type, std::move(both));
  return support_call("whole_power", type, std::move(both));
}

TypedExpression FunctionTranslator::power(TypedExpression base, TypedExpression exponent,
                                          syntax::Span place) {
  const auto is_whole = [](const TypedExpression& each) {
    return rt::is_integer(each.type.dtype) || each.type.dtype == rt::DType::kBool;
  };
  if (has_strong_literals(dialect_) && is_whole(base) && is_whole(exponent))
    return whole_power(std::move(base), std::move(exponent), place);
  if (is_constant(exponent, 2) && base.type.dtype != rt::DType::kBool) {
    if (dialect_ == Dialect::kJitNumpy)
      base = cast_to(base, *try_join(dialect_, base.type, exponent.type));
    return row(rt::ufunc(rt::Row::square), {std::move(base)}, RowUse::kOperator, place);
  }
  if (is_whole(base) && is_integer_below_zero(exponent))
    base = cast_to(std::move(base), float_type(dialect_));
  if (dialect_ == Dialect::kNumba && rt::is_float(base.type.dtype) &&
      rt::is_integer(exponent.type.dtype)) {
    const TypedType type = base.type;
    exponent = cast_to(std::move(exponent), int_type(dialect_));
    return support_call("power_by_int", type, {std::move(base), std::move(exponent)});
  }
  return row(rt::ufunc(rt::Row::power), {std::move(base), std::move(exponent)}, RowUse::kOperator,
             place);
}

// Numba's words for a division by 0, of operands that are whole numbers or not.
static rt::typed::FailureCode division_failure(syntax::BinaryOperator op, bool whole) {
  using enum rt::typed::FailureCode;
  if (op == syntax::BinaryOperator::Mod) return whole ? kWholeModulo : kModulo;
  return whole && op == syntax::BinaryOperator::FloorDiv ? kWholeQuotient : kZeroDivision;
}

TypedExpression FunctionTranslator::divisor(syntax::BinaryOperator op, const TypedType& dividend,
                                            TypedExpression value, syntax::Span place) {
  const bool is_safe = value.kind == Kind::kNumber && value.number.truth();
  if (program_.target != Target::kFunction || is_safe || !value.type.is_number()) return value;
  if (program_.options.divides_as_numpy) return value;
  const TypedType type = value.type;
  const int64_t line = told_line(place);
  const bool whole = !rt::is_float(dividend.dtype) && !rt::is_complex(dividend.dtype) &&
                     !rt::is_float(type.dtype) && !rt::is_complex(type.dtype);
  const auto code = static_cast<int>(division_failure(op, whole));
  return support_call(fmt::format("divisor<{}>", code), type,
                      {std::move(value), TypedExpression::constant(rt::Scalar::weak(line))});
}

TypedExpression FunctionTranslator::binary(syntax::BinaryOperator op, TypedExpression left,
                                           TypedExpression right, syntax::Span place) {
  using enum syntax::BinaryOperator;
  if (auto out = try_special_operator(op, left, right, place)) return std::move(*out);
  if (left.type.is_list() || right.type.is_list())
    return list_binary(op, std::move(left), std::move(right), place);
  if (left.type.is_array() || right.type.is_array())
    return array_binary(op, std::move(left), std::move(right), place);
  if (op == MatMult) fail_translation(place, "a compiled body has no matrix product: write loops");
  if (op == Add && left.type.is_tuple() && right.type.is_tuple())
    return joined_tuples(std::move(left), std::move(right), place);
  if (op == Pow && left.type.is_number() && right.type.is_number())
    return power(std::move(left), std::move(right), place);
  if (op == Div || op == FloorDiv || op == Mod)
    right = divisor(op, left.type, std::move(right), place);
  return row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)}, RowUse::kOperator,
             place);
}

// A literal with a sign is a literal.
static std::optional<rt::Scalar> negated(const TypedExpression& value) {
  if (value.kind != Kind::kNumber) return std::nullopt;
  const rt::Scalar& number = value.number;
  if (number.dtype() == rt::DType::kInt64 && number.as_int() != INT64_MIN) {
    const rt::Scalar out = rt::Scalar::weak(-number.as_int());
    return number.weakness() == rt::Weak::kNo ? out.cast(out.dtype()) : out;
  }
  if (number.dtype() == rt::DType::kFloat64) {
    const rt::Scalar out = rt::Scalar::weak(-number.as_double());
    return number.weakness() == rt::Weak::kNo ? out.cast(out.dtype()) : out;
  }
  return std::nullopt;
}

TypedExpression FunctionTranslator::visit_expression(const syntax::UnaryOp& node) {
  using enum syntax::UnaryOperator;
  if (node.op == Not) return negated_truth(condition(*node.operand));
  TypedExpression operand = expression(*node.operand);
  if (node.op == USub) {
    if (const auto literal = negated(operand)) return TypedExpression::constant(*literal);
  }
  const rt::Row which = node.op == USub   ? rt::Row::negative
                        : node.op == UAdd ? rt::Row::positive
                                          : rt::Row::invert;
  return row(rt::ufunc(which), {std::move(operand)}, RowUse::kOperator, node.span);
}

}  // namespace gpy
