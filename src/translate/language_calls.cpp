// Calls in loops by the interpreter's rules: functions whose results are its own to the bit.
#include <algorithm>
#include <array>

#include "src/array/convert.h"
#include "src/code.h"
#include "src/objects/function.h"
#include "src/translate/loop_translator.h"

namespace gpy {

using Form = TypedExpression::Kind;
using rt::DType;
using rt::Weak;

namespace {

// The functions of math that are C's.
constexpr std::string_view kDirect[] = {
    "sqrt",  "exp",  "expm1", "log",   "log2",  "log10",    "log1p",   "sin",     "cos",     "tan",
    "asin",  "acos", "atan",  "atan2", "sinh",  "cosh",     "tanh",    "fabs",    "pow",     "fmod",
    "floor", "ceil", "trunc", "isnan", "isinf", "isfinite", "degrees", "radians", "copysign"};

// Ufuncs that give one result whoever computes it.
constexpr rt::Row kExactRows[] = {rt::Row::sqrt,     rt::Row::absolute, rt::Row::fabs,
                                  rt::Row::floor,    rt::Row::ceil,     rt::Row::trunc,
                                  rt::Row::maximum,  rt::Row::minimum,  rt::Row::square,
                                  rt::Row::negative, rt::Row::copysign};

}  // namespace

TypedExpression LoopTranslator::to_float(TypedExpression value, syntax::Span place) {
  value = settled(plain(std::move(value)), place);
  if (!value.type.is_number() || rt::is_complex(value.type.dtype) ||
      value.type.dtype == DType::kBool) {
    fail_translation(place, "compiled loops make no float of this");
  }
  return cast_to(std::move(value), kPythonFloat);
}

TypedExpression LoopTranslator::to_int(TypedExpression value, syntax::Span place) {
  value = settled(plain(std::move(value)), place);
  if (rt::is_float(value.type.dtype)) {
    value = kept(cast_to(std::move(value), kPythonFloat), place);
    require(support_call("is_int_sized", TypedType::truth(), {value}), place);
    return cast_to(std::move(value), kPythonInt);
  }
  if (!rt::is_integer(value.type.dtype))
    fail_translation(place, "compiled loops make no int of this");
  return cast_to(fitting(std::move(value), DType::kInt64, place), kPythonInt);
}

// One of two numbers, which may be Python's and NumPy's: the second where the truth holds.
TypedExpression LoopTranslator::second_if(TypedExpression truth, TypedExpression first,
                                          TypedExpression second, syntax::Span place) {
  const std::optional<TypedType> type = try_join(dialect_, first.type, second.type);
  if (!type) fail_translation(place, "compiled loops take the least of numbers of one type");
  truth = kept(std::move(truth), place);
  std::optional<TypedExpression> tag;
  if (type->either) tag = choice(truth, tag_of(second), tag_of(first), place);
  TypedExpression out = choice(std::move(truth), std::move(second), std::move(first), place);
  if (!tag) return out;
  const int value = own_variable(*type, false), own_tag = own_variable(TypedType::truth(), true);
  set_own(value, std::move(out), place);
  set_own(own_tag, std::move(*tag), place);
  own_tags_[value] = own_tag;
  return value_of(value);
}

TypedExpression LoopTranslator::least(const syntax::Call& node, bool greatest) {
  check_count(node, 2, 16);
  std::vector<TypedExpression> items;
  for (const syntax::Expr* each : node.args)
    items.push_back(kept(settled(number(*each), each->span), each->span));
  TypedExpression out = std::move(items[0]);
  for (size_t i = 1; i < items.size(); ++i) {
    TypedExpression truth = greatest ? compare(CompareOp::greater, items[i], out, node.span)
                                     : compare(CompareOp::less, items[i], out, node.span);
    out = second_if(truth_of(std::move(truth)), std::move(out), std::move(items[i]), node.span);
  }
  return out;
}

TypedExpression LoopTranslator::call_builtin(std::string_view name, const syntax::Call& node) {
  if (name == "min" || name == "max") return least(node, name == "max");
  if (name == "len" || name == "pow" || name == "divmod")
    return FunctionTranslator::call_builtin(name, node);
  if (name == "abs") {
    check_count(node, 1, 1);
    TypedExpression value = settled(plain(number(*node.args[0])), node.span);
    if (value.type.dtype == DType::kBool)
      fail_translation(node.span, "compiled loops have no abs() of this");
    if (rt::is_integer(value.type.dtype)) {
      value = kept(std::move(value), node.span);
      require(checked("subtract_fits",
                      cast_to(TypedExpression::constant(rt::Scalar::weak(int64_t{0})), value.type),
                      value),
              node.span);
    }
    std::optional<TypedExpression> tag;
    if (value.type.either) {
      value = kept(std::move(value), node.span);
      tag = tag_of(value);
    }
    const bool may_overflow = rt::is_complex(value.type.dtype);
    TypedExpression out = language_row(rt::Row::absolute, {std::move(value)}, node.span);
    out.unsettled = may_overflow;
    out.type.either = tag.has_value();
    if (tag) out.tag = {std::move(*tag)};
    return settled(std::move(out), node.span);
  }
  if (name == "round") {
    check_count(node, 1, 1);
    TypedExpression value = plain(number(*node.args[0]));
    if (rt::is_integer(value.type.dtype)) return to_int(std::move(value), node.span);
    value = to_float(std::move(value), node.span);
    return to_int(language_row(rt::Row::rint, {std::move(value)}, node.span), node.span);
  }
  fail_translation(node.span, "compiled loops do not call {}()", name);
}

TypedExpression LoopTranslator::call_math(std::string_view name, const syntax::Call& node) {
  if (std::ranges::find(kDirect, name) == std::end(kDirect) ||
      (name == "log" && node.args.size() != 1)) {
    fail_translation(node.span, "compiled loops do not call math.{}()", name);
  }
  const bool rounds = name == "floor" || name == "ceil" || name == "trunc";
  const bool tests = name.starts_with("is");
  const rt::Ufunc* ufunc = math_row(name);
  check_count(node, static_cast<size_t>(ufunc->arity), static_cast<size_t>(ufunc->arity));
  std::vector<TypedExpression> args;
  for (const syntax::Expr* each : node.args) {
    TypedExpression value = plain(number(*each));
    if (rounds && rt::is_integer(value.type.dtype)) return to_int(std::move(value), node.span);
    args.push_back(to_float(std::move(value), each->span));
  }
  TypedExpression out = row(*ufunc, std::move(args), RowUse::kFunction, node.span);
  if (tests) {
    out.type = kPythonBool;
    return out;
  }
  if (rounds) return to_int(std::move(out), node.span);
  out.unsettled = true;  // what raises gives no finite number
  return settled(std::move(out), node.span);
}

TypedExpression LoopTranslator::call_cmath(std::string_view name, const syntax::Call& node) {
  fail_translation(node.span, "compiled loops do not call cmath.{}()", name);
}

TypedExpression LoopTranslator::call_ufunc(const rt::Ufunc& ufunc, const syntax::Call& node) {
  const bool exact = std::ranges::any_of(kExactRows, [&](rt::Row each) { return ufunc.is(each); });
  if (!exact) fail_translation(node.span, "compiled loops do not call numpy.{}()", ufunc.name);
  check_count(node, static_cast<size_t>(ufunc.arity), static_cast<size_t>(ufunc.arity));
  std::vector<TypedExpression> args;
  for (const syntax::Expr* each : node.args) {
    args.push_back(settled(number(*each), each->span));
    const DType dtype = args.back().type.dtype;
    if (dtype != DType::kFloat64 && dtype != DType::kFloat32)
      fail_translation(node.span, "compiled loops call numpy.{}() of floats only", ufunc.name);
  }
  TypedExpression out = row(ufunc, std::move(args), RowUse::kFunction, node.span);
  out.type = TypedType::number(out.type.dtype);
  out.unsettled = true;
  return settled(std::move(out), node.span);
}

TypedExpression LoopTranslator::call_type(const Type& type, const syntax::Call& node) {
  if (&type == vm_.types.complex) return to_complex(node);
  check_count(node, 1, 1);
  TypedExpression value = number(*node.args[0]);
  if (&type == vm_.types.integer) return to_int(std::move(value), node.span);
  if (&type == vm_.types.real) return to_float(std::move(value), node.span);
  if (&type == vm_.types.boolean) {
    TypedExpression out = truth_of(settled(std::move(value), node.span));
    out.type = kPythonBool;
    return out;
  }
  const std::optional<DType> dtype = arrays(vm_).dtype_of(&type);
  if (dtype) value = settled(std::move(value), node.span);
  if (dtype == DType::kFloat64) {
    TypedExpression out = to_float(std::move(value), node.span);
    return cast_to(std::move(out), TypedType::number(DType::kFloat64));
  }
  if (dtype == DType::kBool)
    return cast_to(truth_of(std::move(value)), TypedType::number(DType::kBool));
  value = plain(std::move(value));
  const bool from_whole = rt::is_integer(value.type.dtype);
  if (dtype && rt::is_integer(*dtype) && from_whole)
    return fitting(std::move(value), *dtype, node.span);
  const bool keeps = dtype && rt::can_cast(value.type.dtype, *dtype, rt::Casting::kSameKind);
  if (keeps && !from_whole && rt::is_inexact(value.type.dtype) && !rt::is_narrow_float(*dtype)) {
    TypedExpression out = cast_to(std::move(value), TypedType::number(*dtype));
    out.unsettled = true;
    return settled(std::move(out), node.span);
  }
  fail_translation(node.span, "compiled loops make no {}", type.full_name());
}

// A function that fails has changed nothing: the interpreter calls it again.
TypedExpression LoopTranslator::call_function(Function& function, const syntax::Call& node) {
  std::vector<TypedExpression> args;
  std::vector<TypedType> types;
  for (TypedExpression& each : arguments(node)) {
    each = settled(std::move(each), node.span);
    if (each.type.either) fail_translation(node.span, "an argument is Python's number or NumPy's");
    types.push_back(each.type);
    args.push_back(std::move(each));
  }
  const ProgramBuilder::Callee callee = program_.function_for(function, types, node.span);
  if (!callee.result) fail_translation(node.span, "compiled loops call no recursive functions");
  TypedExpression call;
  call.kind = Form::kCall;
  call.index = callee.index;
  call.type = *callee.result;
  call.args = std::move(args);
  call = kept(std::move(call), node.span);
  require(negated_truth(item_of(call, 0)), node.span);
  return item_of(call, 1);
}

}  // namespace gpy
