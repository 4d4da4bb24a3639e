// The functions of builtins, and those of math and cmath.
#include <algorithm>
#include <array>

#include "src/translate/function_translator.h"

namespace gpy {

// --- builtins ------------------------------------------------------------------------------------

TypedExpression FunctionTranslator::smallest(const syntax::Call& node, bool greatest) {
  check_count(node, 2, 64);
  std::vector<TypedExpression> items = arguments(node);
  TypedExpression out = std::move(items[0]);
  for (size_t i = 1; i < items.size(); ++i) {
    if (is_jit(dialect_)) {  // as of arrays: what is no number is the result
      out = row(rt::ufunc(greatest ? rt::Row::maximum : rt::Row::minimum),
                {std::move(out), std::move(items[i])}, RowUse::kOperator, node.span);
      continue;
    }
    const std::optional<TypedType> type = try_join(dialect_, out.type, items[i].type);
    if (!type || !type->is_number())
      fail_translation(node.args[i]->span, "these cannot be compared");
    out = support_call(greatest ? "greater" : "smaller", *type,
                       {cast_to(std::move(out), *type), cast_to(std::move(items[i]), *type)});
  }
  return out;
}

TypedExpression FunctionTranslator::rounded(const syntax::Call& node) {
  check_count(node, 1, 1);
  TypedExpression value = number(*node.args[0]);
  if (rt::is_complex(value.type.dtype))
    fail_translation(node.span, "a complex number cannot be rounded");
  if (!rt::is_float(value.type.dtype)) return cast_to(std::move(value), int_type(dialect_));
  value = row(rt::ufunc(rt::Row::rint), {std::move(value)}, RowUse::kFunction, node.span);
  return cast_to(std::move(value), int_type(dialect_));
}

TypedExpression FunctionTranslator::call_builtin(std::string_view name, const syntax::Call& node) {
  const bool is_extreme = name == "min" || name == "max";
  if (is_extreme && node.args.size() != 1) return smallest(node, name == "max");
  if (name == "round" && node.args.size() == 1) return rounded(node);
  if (name == "print") return call_print(node);
  if (name == "sum") return sum_builtin(node);
  if (name == "abs") {
    check_count(node, 1, 1);
    return row(rt::ufunc(rt::Row::absolute), {expression(*node.args[0])}, RowUse::kOperator,
               node.span);
  }
  if (name == "pow") {
    check_count(node, 2, 2);
    TypedExpression base = number(*node.args[0]);
    return binary(syntax::BinaryOperator::Pow, std::move(base), number(*node.args[1]), node.span);
  }
  if (name == "divmod") {
    check_count(node, 2, 2);
    const TypedExpression left = kept(number(*node.args[0]), node.span);
    const TypedExpression right = kept(number(*node.args[1]), node.span);
    return tuple_of({binary(syntax::BinaryOperator::FloorDiv, left, right, node.span),
                     binary(syntax::BinaryOperator::Mod, left, right, node.span)});
  }
  if (name == "len") {
    check_count(node, 1, 1);
    return length(expression(*node.args[0]), node.span);
  }
  if (auto out = try_library("BUILTINS", name, {}, node)) return std::move(*out);
  if (is_extreme) return smallest(node, name == "max");
  if (name == "round") return rounded(node);
  fail_translation(node.func->span, "a compiled body cannot call {}()", name);
}

TypedExpression FunctionTranslator::length(TypedExpression value, syntax::Span place) {
  if (value.type.is_tuple()) {
    const auto count = static_cast<int64_t>(value.type.items.size());
    return literal(dialect_, rt::Scalar::weak(count));
  }
  if (value.type.is_array()) return extent(value, 0);
  if (value.type.is_list()) return list_size(std::move(value));
  if (value.type.is_map()) return support_call("map_size", int_type(dialect_), {std::move(value)});
  if (auto out = try_special("__len__", {value}, place)) return std::move(*out);
  fail_translation(place, "{} has no len()", rt::typed::type_text(value.type));
}

// --- math ----------------------------------------------------------------------------------------

namespace {

struct MathRow {
  std::string_view name;
  rt::Row row;
  bool gives_int = false;
};

constexpr MathRow kMathRows[] = {
    {"sqrt", rt::Row::sqrt},         {"exp", rt::Row::exp},
    {"exp2", rt::Row::exp2},         {"expm1", rt::Row::expm1},
    {"log", rt::Row::log},           {"log2", rt::Row::log2},
    {"log10", rt::Row::log10},       {"log1p", rt::Row::log1p},
    {"sin", rt::Row::sin},           {"cos", rt::Row::cos},
    {"tan", rt::Row::tan},           {"asin", rt::Row::arcsin},
    {"acos", rt::Row::arccos},       {"atan", rt::Row::arctan},
    {"atan2", rt::Row::arctan2},     {"sinh", rt::Row::sinh},
    {"cosh", rt::Row::cosh},         {"tanh", rt::Row::tanh},
    {"asinh", rt::Row::arcsinh},     {"acosh", rt::Row::arccosh},
    {"atanh", rt::Row::arctanh},     {"cbrt", rt::Row::cbrt},
    {"erf", rt::Row::erf},           {"erfc", rt::Row::erfc},
    {"pow", rt::Row::power},         {"hypot", rt::Row::hypot},
    {"fmod", rt::Row::fmod},         {"copysign", rt::Row::copysign},
    {"fabs", rt::Row::fabs},         {"degrees", rt::Row::degrees},
    {"radians", rt::Row::radians},   {"isnan", rt::Row::isnan},
    {"isinf", rt::Row::isinf},       {"isfinite", rt::Row::isfinite},
    {"floor", rt::Row::floor, true}, {"ceil", rt::Row::ceil, true},
    {"trunc", rt::Row::trunc, true}, {"nextafter", rt::Row::nextafter},
    {"phase", rt::Row::angle},
};

}  // namespace

const rt::Ufunc* FunctionTranslator::math_row(std::string_view name) {
  for (const MathRow& each : kMathRows) {
    if (each.name == name) return &rt::ufunc(each.row);
  }
  return nullptr;
}

// Numbers are computed as Python's floats are; Numba's keep float32.
TypedExpression FunctionTranslator::as_float(TypedExpression value) {
  if (rt::is_complex(value.type.dtype)) return value;
  if (has_strong_literals(dialect_) && rt::is_float(value.type.dtype)) return value;
  return cast_to(std::move(value), float_type(dialect_));
}

TypedExpression FunctionTranslator::call_math(std::string_view name, const syntax::Call& node) {
  if (name == "gcd" || name == "ldexp") return call_math_of_ints(name, node);
  if (name == "frexp") return fraction_and_exponent(node);
  if (name == "gamma" || name == "lgamma") return gamma_function(name, node);
  for (const MathRow& each : kMathRows) {
    if (each.name != name) continue;
    const auto arity = static_cast<size_t>(rt::ufunc(each.row).arity);
    if (name == "log" && node.args.size() == 2) return log_to_base(node);
    check_count(node, arity, arity);
    std::vector<TypedExpression> args;
    for (const syntax::Expr* arg : node.args) args.push_back(as_float(number(*arg)));
    TypedExpression out = row(rt::ufunc(each.row), std::move(args), RowUse::kFunction, node.span);
    return each.gives_int ? cast_to(std::move(out), int_type(dialect_)) : out;
  }
  fail_translation(node.func->span, "a compiled body cannot call {}()",
                   source_.tree->source->text(node.func->span));
}

// Of real numbers too the results are complex.
TypedExpression FunctionTranslator::call_cmath(std::string_view name, const syntax::Call& node) {
  const auto of_row = [&](rt::Row which, TypedExpression value) {
    return row(rt::ufunc(which), {std::move(value)}, RowUse::kFunction, node.span);
  };
  const auto argument = [&](size_t i) {
    TypedExpression value = number(*node.args[i]);
    if (rt::is_complex(value.type.dtype)) return value;
    const bool is_narrow = value.type.dtype == rt::DType::kFloat32;
    return cast_to(std::move(value),
                   TypedType::number(is_narrow ? rt::DType::kComplex64 : rt::DType::kComplex128));
  };
  if (name == "rect") {
    check_count(node, 2, 2);
    const TypedExpression size = kept(as_float(number(*node.args[0])), node.span);
    const TypedExpression angle = kept(as_float(number(*node.args[1])), node.span);
    const auto part = [&](rt::Row which) {
      return binary(syntax::BinaryOperator::Mult, size, of_row(which, angle), node.span);
    };
    return support_call("Complex<f64>", TypedType::number(rt::DType::kComplex128),
                        {part(rt::Row::cos), part(rt::Row::sin)});
  }
  if (name == "log" && node.args.size() == 2)
    return binary(syntax::BinaryOperator::Div, of_row(rt::Row::log, argument(0)),
                  of_row(rt::Row::log, argument(1)), node.span);
  check_count(node, 1, 1);
  if (name == "polar") {
    const TypedExpression value = kept(argument(0), node.span);
    return tuple_of({of_row(rt::Row::absolute, value), of_row(rt::Row::angle, value)});
  }
  constexpr std::string_view kNames[] = {
      "sqrt", "exp",  "log",  "log10", "sin",   "cos",   "tan",   "asin",  "acos",     "atan",
      "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "isnan", "isinf", "isfinite", "phase"};
  if (std::ranges::find(kNames, name) == std::end(kNames))
    fail_translation(node.func->span, "a compiled body cannot call cmath.{}()", name);
  return row(*math_row(name), {argument(0)}, RowUse::kFunction, node.span);
}

TypedExpression FunctionTranslator::call_math_of_ints(std::string_view name,
                                                      const syntax::Call& node) {
  check_count(node, 2, 2);
  TypedExpression left = number(*node.args[0]);
  if (name == "ldexp") left = as_float(std::move(left));
  return row(rt::ufunc(name == "gcd" ? rt::Row::gcd : rt::Row::ldexp),
             {std::move(left), number(*node.args[1])}, RowUse::kFunction, node.span);
}

// math.gamma(x), math.lgamma(x)
TypedExpression FunctionTranslator::gamma_function(std::string_view name,
                                                   const syntax::Call& node) {
  check_count(node, 1, 1);
  TypedExpression value = as_float(number(*node.args[0]));
  const TypedType type = value.type;
  return support_call(name == "gamma" ? "tgamma" : "lgamma", type, {std::move(value)});
}

// math.frexp(x)
TypedExpression FunctionTranslator::fraction_and_exponent(const syntax::Call& node) {
  check_count(node, 1, 1);
  const TypedExpression value = kept(as_float(number(*node.args[0])), node.span);
  const auto part = [&](rt::Row which) {
    return row(rt::ufunc(which), {value}, RowUse::kFunction, node.span);
  };
  return tuple_of({part(rt::Row::frexp_mantissa), part(rt::Row::frexp_exponent)});
}

TypedExpression FunctionTranslator::log_to_base(const syntax::Call& node) {
  std::array<TypedExpression, 2> logs;
  for (size_t i = 0; i < 2; ++i) {
    logs[i] = row(rt::ufunc(rt::Row::log), {as_float(number(*node.args[i]))}, RowUse::kFunction,
                  node.span);
  }
  return binary(syntax::BinaryOperator::Div, std::move(logs[0]), std::move(logs[1]), node.span);
}

}  // namespace gpy
