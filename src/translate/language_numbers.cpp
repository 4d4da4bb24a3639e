// Arithmetic of the interpreter: Python's numbers and NumPy's scalars, with a look at all that
// might raise or warn.
#include <cmath>

#include "src/array/convert.h"
#include "src/array/operators.h"
#include "src/lower/operators.h"
#include "src/translate/loop_translator.h"
#include "src/translate/signs.h"

namespace gpy {

using Kind = TypedStatement::Kind;
using Form = TypedExpression::Kind;
using Op = syntax::BinaryOperator;
using rt::DType;
using rt::Weak;

namespace {

bool is_weak(const TypedExpression& value) { return value.type.weak != Weak::kNo; }
bool is_whole(const TypedExpression& value) { return rt::is_integer(value.type.dtype); }
bool is_truth(const TypedExpression& value) { return value.type.dtype == DType::kBool; }

TypedExpression number_of(int64_t number) {
  return TypedExpression::constant(rt::Scalar::weak(number));
}

Weak weakness_of(DType dtype) {
  if (rt::is_complex(dtype)) return Weak::kComplex;
  return rt::is_float(dtype) ? Weak::kFloat : Weak::kInt;
}

bool on_bits(Op op) { return op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor; }
bool divides(Op op) { return op == Op::Div || op == Op::FloorDiv || op == Op::Mod; }
bool is_exact(Op op) { return op == Op::Add || op == Op::Sub || op == Op::Mult; }

// The check that stands before an operation on ints.
const char* check_of(Op op) {
  switch (op) {
    case Op::Add: return "add_fits";
    case Op::Sub: return "subtract_fits";
    case Op::Mult: return "multiply_fits";
    case Op::FloorDiv:
    case Op::Mod: return "divides";
    case Op::Pow: return "power_fits";
    case Op::LShift: return "left_shift_fits";
    case Op::RShift: return "right_shift_fits";
    default: return nullptr;
  }
}

}  // namespace

TypedExpression LoopTranslator::language_row(rt::Row which, std::vector<TypedExpression> args,
                                             syntax::Span place) {
  return row(rt::ufunc(which), std::move(args), RowUse::kFunction, place);
}

TypedExpression LoopTranslator::checked(std::string symbol, TypedExpression left,
                                        TypedExpression right) {
  return support_call(std::move(symbol), TypedType::truth(), {std::move(left), std::move(right)});
}

TypedExpression LoopTranslator::settled(TypedExpression value, syntax::Span place) {
  if (!value.unsettled) return value;
  value = kept(std::move(value), place);
  require(support_call("is_settled", TypedType::truth(), {value}), place);
  value.unsettled = false;
  return value;
}

TypedExpression LoopTranslator::plain(TypedExpression value) {
  return value.type == kPythonBool ? cast_to(std::move(value), kPythonInt) : std::move(value);
}

TypedExpression LoopTranslator::tag_of(const TypedExpression& value) const {
  if (!value.type.either)
    return TypedExpression::constant(rt::Scalar(value.type.weak == Weak::kNo));
  if (!value.tag.empty()) return value.tag[0];
  if (value.kind != Form::kVariable) fail_translation({}, "this is Python's number or NumPy's");
  const auto own = own_tags_.find(value.index);
  return value_of(own == own_tags_.end() ? tags_[static_cast<size_t>(value.index)] : own->second);
}

// A complex number of Python's takes a float on its right for one, NumPy's float64 too.
TypedExpression LoopTranslator::is_numpys(const TypedExpression& left,
                                          const TypedExpression& right) {
  TypedExpression first = tag_of(left);
  const bool is_taken = rt::is_complex(left.type.dtype) && right.type.dtype == DType::kFloat64;
  if (is_taken || is_true(first)) return first;
  TypedExpression second = tag_of(right);
  if (is_known(first) || is_true(second)) return second;
  if (is_known(second)) return first;
  return joined(std::move(first), std::move(second), false);
}

void LoopTranslator::check_either(const rt::Ufunc& ufunc, const TypedExpression& left,
                                  const TypedExpression& right, syntax::Span place) {
  const auto loop_of = [&](const TypedExpression& first, const TypedExpression& second) {
    const TypedExpression sketch = row(ufunc, {first, second}, RowUse::kOperator, place);
    return sketch.loop;
  };
  const int loop = loop_of(left, right);
  for (const TypedExpression* each : {&left, &right}) {
    const TypedExpression& other = each == &left ? right : left;
    if (!each->type.either || is_weak(other)) continue;
    TypedExpression pythons = *each;
    pythons.type = TypedType::number(each->type.dtype, weakness_of(each->type.dtype));
    if (loop != (each == &left ? loop_of(pythons, right) : loop_of(left, pythons)))
      fail_translation(place,
                       "the type of this depends on whether a number is Python's or NumPy's");
  }
}

// An int as an int of another type that holds it.
TypedExpression LoopTranslator::fitting(TypedExpression value, DType dtype, syntax::Span place) {
  const TypedType to = TypedType::number(dtype);
  if (rt::can_cast(value.type.dtype, dtype, rt::Casting::kSafe))
    return cast_to(std::move(value), to);
  if (value.kind == Form::kNumber && value.number.as_int() >= 0 &&
      value.number.cast(dtype).as_int() == value.number.as_int())
    return TypedExpression::constant(value.number.cast(dtype));
  value = kept(std::move(value), place);
  TypedExpression narrow = kept(cast_to(value, to), place);
  require(support_call("same_number", TypedType::truth(), {value, narrow}), place);
  return narrow;
}

// --- operators -----------------------------------------------------------------------------------

TypedExpression LoopTranslator::binary(Op op, TypedExpression left, TypedExpression right,
                                       syntax::Span place) {
  for (const TypedExpression* each : {&left, &right}) {
    const bool fits = each->type.is_number() && !rt::is_narrow_float(each->type.dtype);
    if (!fits) fail_translation(place, "compiled loops do no arithmetic on this");
  }
  if (on_bits(op) && left.type == kPythonBool && right.type == kPythonBool) {
    TypedExpression out = row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)},
                              RowUse::kOperator, place);
    out.type = kPythonBool;
    return out;
  }
  left = plain(std::move(left));
  right = plain(std::move(right));
  if (op == Op::MatMult) fail_translation(place, "compiled loops have no matrix products");
  if (rt::is_complex(left.type.dtype) || rt::is_complex(right.type.dtype))
    return complex_numbers(op, std::move(left), std::move(right), place);
  if (!is_weak(left) || !is_weak(right))
    return numpy_numbers(op, std::move(left), std::move(right), place);
  if (is_whole(left) && is_whole(right))
    return python_ints(op, std::move(left), std::move(right), place);
  return python_floats(op, std::move(left), std::move(right), place);
}

TypedExpression LoopTranslator::python_ints(Op op, TypedExpression left, TypedExpression right,
                                            syntax::Span place) {
  left = kept(std::move(left), place);
  right = kept(std::move(right), place);
  if (op == Op::Div) {
    require(checked("divides_exactly", left, right), place);
    return row(ufunc_of(BinaryOp::true_divide), {std::move(left), std::move(right)},
               RowUse::kOperator, place);
  }
  if (const char* check = check_of(op)) require(checked(check, left, right), place);
  return row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)}, RowUse::kOperator,
             place);
}

TypedExpression LoopTranslator::python_floats(Op op, TypedExpression left, TypedExpression right,
                                              syntax::Span place) {
  left = cast_to(std::move(left), kPythonFloat);
  right = cast_to(std::move(right), kPythonFloat);
  if (divides(op)) {
    right = kept(std::move(right), place);
    require(truth_of(right), place);
  } else if (!is_exact(op) && op != Op::Pow) {
    fail_translation(place, "floats have no such operator");
  }
  TypedExpression out = row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)},
                            RowUse::kOperator, place);
  if (op != Op::Pow) return out;
  out.unsettled = true;  // a complex number, or too large
  return settled(std::move(out), place);
}

TypedExpression LoopTranslator::numpy_numbers(Op op, TypedExpression left, TypedExpression right,
                                              syntax::Span place) {
  if (is_truth(left) || is_truth(right))
    fail_translation(place, "compiled loops do no arithmetic on NumPy's bools");
  left = kept(std::move(left), place);
  right = kept(std::move(right), place);
  TypedExpression numpys = is_numpys(left, right);
  const bool strict = is_true(numpys);
  check_either(ufunc_of(binary_operator(op)), left, right, place);
  const TypedExpression sketch =
      row(ufunc_of(binary_operator(op)), {left, right}, RowUse::kOperator, place);
  const rt::UfuncLoop& loop = sketch.ufunc->loops[static_cast<size_t>(sketch.loop)];
  TypedExpression out =
      rt::is_integer(loop.in[0])
          ? numpy_ints(op, loop.in[0], std::move(left), std::move(right), strict, place)
          : numpy_floats(op, std::move(left), std::move(right), place);
  out.type.either = !strict;
  if (!strict) out.tag = {std::move(numpys)};
  return out;
}

TypedExpression LoopTranslator::numpy_ints(Op op, DType dtype, TypedExpression left,
                                           TypedExpression right, bool strict, syntax::Span place) {
  left = kept(fitting(std::move(left), dtype, place), place);
  right = kept(fitting(std::move(right), dtype, place), place);
  if (op == Op::Div) {
    require(strict ? truth_of(right) : checked("divides_exactly", left, right), place);
  }
  // NumPy's shifts to the left lose bits without a word.
  const bool is_quiet = strict && op == Op::LShift;
  if (const char* check = is_quiet ? nullptr : check_of(op))
    require(checked(check, left, right), place);
  return row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)}, RowUse::kOperator,
             place);
}

// A float of Python's beside one of NumPy's of the other type: it may be too large for that, which
// a quotient or a power need not show, or be 0 there.
TypedExpression LoopTranslator::narrowed(TypedExpression value, DType other, syntax::Span place) {
  if (!is_weak(value) || is_whole(value) || other != DType::kFloat32) return value;
  value = cast_to(std::move(value), TypedType::number(other));
  const bool is_finite = value.kind == Form::kNumber && std::isfinite(value.number.as_double());
  value.unsettled = !is_finite;
  return settled(std::move(value), place);
}

TypedExpression LoopTranslator::numpy_floats(Op op, TypedExpression left, TypedExpression right,
                                             syntax::Span place) {
  if (op == Op::LShift || op == Op::RShift || on_bits(op))
    fail_translation(place, "floats have no such operator");
  const bool unsettled = left.unsettled || right.unsettled;
  if (op == Op::Div && is_whole(left) && is_whole(right) &&
      (left.type.either || right.type.either || is_weak(left) || is_weak(right))) {
    left = kept(cast_to(std::move(left), kPythonInt), place);
    right = kept(cast_to(std::move(right), kPythonInt), place);
    require(checked("divides_exactly", left, right), place);
  }
  if (!is_exact(op)) {
    const DType left_dtype = left.type.dtype, right_dtype = right.type.dtype;
    left = narrowed(settled(std::move(left), place), right_dtype, place);
    right = narrowed(settled(std::move(right), place), left_dtype, place);
  }
  if (divides(op)) {
    right = kept(std::move(right), place);
    require(truth_of(right), place);
  }
  TypedExpression out = row(ufunc_of(binary_operator(op)), {std::move(left), std::move(right)},
                            RowUse::kOperator, place);
  out.unsettled = unsettled || rt::is_float(out.type.dtype);
  return is_exact(op) || op == Op::Div ? out : settled(std::move(out), place);
}

TypedExpression LoopTranslator::visit_expression(const syntax::UnaryOp& node) {
  using enum syntax::UnaryOperator;
  if (node.op == Not) {
    TypedExpression out = FunctionTranslator::visit_expression(node);
    out.type = kPythonBool;
    return out;
  }
  if (node.operand->kind == syntax::ExprKind::Constant)
    return FunctionTranslator::visit_expression(node);
  TypedExpression operand = plain(number(*node.operand));
  if (is_truth(operand) || (node.op == Invert && !is_whole(operand)))
    fail_translation(node.span, "compiled loops have no such operator");
  if (node.op == USub && is_whole(operand)) {
    operand = kept(std::move(operand), node.span);
    const TypedType type = operand.type;
    require(checked("subtract_fits", cast_to(number_of(0), type), operand), node.span);
  }
  const bool unsettled = operand.unsettled, either = operand.type.either;
  std::optional<TypedExpression> tag;
  if (either) {
    operand = kept(std::move(operand), node.span);
    tag = tag_of(operand);
  }
  const rt::Row which = node.op == USub   ? rt::Row::negative
                        : node.op == UAdd ? rt::Row::positive
                                          : rt::Row::invert;
  TypedExpression out = row(rt::ufunc(which), {std::move(operand)}, RowUse::kOperator, node.span);
  out.unsettled = unsettled;
  out.type.either = either;
  if (tag) out.tag = {std::move(*tag)};
  return out;
}

TypedExpression LoopTranslator::visit_expression(const syntax::Constant& node) {
  TypedExpression out = FunctionTranslator::visit_expression(node);
  if (is_truth(out)) out.type = kPythonBool;
  return out;
}

TypedExpression LoopTranslator::constant_value(const Value& value, syntax::Span place) {
  if (as_ndarray(value)) fail_translation(place, "an array of another function's globals");
  if (!value.is_object() || as_generic(value)) {
    TypedExpression out = FunctionTranslator::constant_value(value, place);
    if (value.is_boolean()) out.type = kPythonBool;
    return out;
  }
  fail_translation(place, "compiled loops use numbers and arrays");
}

// --- comparisons ---------------------------------------------------------------------------------

TypedExpression LoopTranslator::compare(CompareOp op, TypedExpression left, TypedExpression right,
                                        syntax::Span place) {
  left = settled(plain(std::move(left)), place);
  right = settled(plain(std::move(right)), place);
  const bool ordered = !rt::is_complex(left.type.dtype) && !rt::is_complex(right.type.dtype);
  if (!ordered && op != CompareOp::equal && op != CompareOp::not_equal)
    fail_translation(place, "complex numbers have no order");
  left = kept(std::move(left), place);
  right = kept(std::move(right), place);
  TypedExpression numpys = is_numpys(left, right);
  const bool strict = is_true(numpys), python = is_known(numpys) && !strict;
  for (TypedExpression* each : {&left, &right}) {
    TypedExpression& other = each == &left ? right : left;
    if (!strict && is_whole(*each) && !is_whole(other)) {
      *each = kept(std::move(*each), place);
      require(support_call("is_exact_float", TypedType::truth(), {*each}), place);
    }
    if (!python && is_weak(*each) && is_whole(*each) && is_whole(other))
      *each = fitting(std::move(*each), other.type.dtype, place);
  }
  TypedExpression out =
      row(ufunc_of(op), {std::move(left), std::move(right)}, RowUse::kOperator, place);
  if (python) out.type = kPythonBool;
  out.type.either = !python && !strict;
  if (!python && !strict) out.tag = {std::move(numpys)};
  return out;
}

TypedExpression LoopTranslator::compare_from(const syntax::Compare& node, size_t at,
                                             TypedExpression left, bool as_truth) {
  const syntax::Comparison& each = node.comparisons[at];
  const CompareOp op = compare_operator(each.op, each.op_span);
  TypedExpression right = number(*each.right);
  if (at + 1 == node.comparisons.size()) {
    TypedExpression out = compare(op, std::move(left), std::move(right), node.span);
    return as_truth ? truth_of(std::move(out)) : out;
  }
  right = kept(std::move(right), each.right->span);
  TypedExpression test = compare(op, std::move(left), right, node.span);
  if (!as_truth) test = kept(std::move(test), node.span);
  const TypedExpression otherwise = as_truth ? TypedExpression::constant(rt::Scalar(false)) : test;
  return branched(
      truth_of(test), [&] { return compare_from(node, at + 1, right, as_truth); },
      [&] { return otherwise; }, node.span);
}

TypedExpression LoopTranslator::visit_expression(const syntax::Compare& node) {
  return compare_from(node, 0, number(*node.left), false);
}

// --- choices -------------------------------------------------------------------------------------

template <class Part> TypedExpression LoopTranslator::part(Block& statements, Part&& part) {
  Block* outer = std::exchange(block_, &statements);
  TypedExpression out = part();
  block_ = outer;
  return out;
}

// Each part's statements, its checks among them, stand where it is computed.
template <class Yes, class No>
TypedExpression LoopTranslator::branched(TypedExpression test, Yes&& yes, No&& no,
                                         syntax::Span place) {
  Block taken, otherwise;
  TypedExpression first = part(taken, [&] { return settled(yes(), place); });
  TypedExpression second = part(otherwise, [&] { return settled(no(), place); });
  if (first.type != second.type || first.type.either)
    fail_translation(place, "this value has one of two types");
  if (taken.empty() && otherwise.empty())
    return choice(std::move(test), std::move(first), std::move(second), place);
  const int variable = own_variable(first.type, false);
  TypedStatement out;
  out.kind = Kind::kIf;
  out.line = source_.tree->source->line_of(place.begin);
  out.values = {std::move(test)};
  part(taken, [&] { return set_own(variable, std::move(first), place), TypedExpression(); });
  part(otherwise, [&] { return set_own(variable, std::move(second), place), TypedExpression(); });
  out.body = std::move(taken);
  out.otherwise = std::move(otherwise);
  block_->push_back(std::move(out));
  return value_of(variable);
}

TypedExpression LoopTranslator::visit_expression(const syntax::IfExp& node) {
  TypedExpression test = condition(*node.test);
  return branched(
      std::move(test), [&] { return number(*node.body); }, [&] { return number(*node.orelse); },
      node.span);
}

TypedExpression LoopTranslator::operands_from(const syntax::BoolOp& node, size_t at,
                                              bool as_truth) {
  const syntax::Expr& operand = *node.values[at];
  TypedExpression value = as_truth ? condition(operand) : number(operand);
  if (at + 1 == node.values.size()) return value;
  if (!as_truth) value = kept(settled(std::move(value), operand.span), operand.span);
  const bool both = node.op == syntax::BoolOperator::And;
  const TypedExpression decided = as_truth ? TypedExpression::constant(rt::Scalar(!both)) : value;
  const auto rest = [&] { return operands_from(node, at + 1, as_truth); };
  const auto here = [&] { return decided; };
  TypedExpression test = truth_of(std::move(value));
  return both ? branched(std::move(test), rest, here, node.span)
              : branched(std::move(test), here, rest, node.span);
}

TypedExpression LoopTranslator::visit_expression(const syntax::BoolOp& node) {
  return operands_from(node, 0, false);
}

TypedExpression LoopTranslator::condition(const syntax::Expr& node) {
  if (const auto* operands = syntax::try_as<syntax::BoolOp>(&node))
    return operands_from(*operands, 0, true);
  if (const auto* compared = syntax::try_as<syntax::Compare>(&node))
    return compare_from(*compared, 0, number(*compared->left), true);
  return truth_of(settled(number(node), node.span));
}

// --- elements ------------------------------------------------------------------------------------

TypedExpression LoopTranslator::position(const TypedExpression& array, int axis,
                                         TypedExpression index, syntax::Span place) {
  if (!is_whole(index) || index.type.dtype == DType::kUInt64)
    fail_translation(place, "compiled loops index by ints");
  if (is_checked_ahead(array, axis, index)) return cast_to(std::move(index), kPythonInt);
  const bool counts_up = is_nonnegative(index, variables_);
  index = kept(cast_to(std::move(index), kPythonInt), place);
  const TypedExpression count = extent(array, axis);
  if (!counts_up)
    index = kept(support_call("from_end", kPythonInt, {std::move(index), count}), place);
  require(support_call("is_inside", TypedType::truth(), {index, count}), place);
  return index;
}

}  // namespace gpy
