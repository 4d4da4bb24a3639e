// random and numpy.random in compiled functions.
#include <algorithm>

#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"

namespace gpy {

namespace {

// Draws: `count` numbers decide of what, and a size behind them makes an array of draws.
struct Draw {
  std::string_view module, name, symbol, arrays;
  size_t least, most;  // parameters of the distribution
  std::array<double, 2> defaults;
  bool axes = false;  // the extents are arguments of their own: rand(2, 3)
};
constexpr Draw kDraws[] = {
    {"random", "random", "random_double", "", 0, 0, {}},
    {"random", "uniform", "random_uniform", "", 2, 2, {}},
    {"random", "gauss", "random_normal", "", 0, 2, {0, 1}},
    {"random", "normalvariate", "random_normal", "", 0, 2, {0, 1}},
    {"random", "expovariate", "random_exponential", "", 1, 1, {}},
    {"numpy.random", "random", "random_double", "random_doubles", 0, 0, {}},
    {"numpy.random", "random_sample", "random_double", "random_doubles", 0, 0, {}},
    {"numpy.random", "ranf", "random_double", "random_doubles", 0, 0, {}},
    {"numpy.random", "rand", "random_double", "random_doubles", 0, 0, {}, true},
    {"numpy.random", "randn", "random_normal", "random_normals", 0, 0, {0, 1}, true},
    {"numpy.random", "standard_normal", "random_normal", "random_normals", 0, 0, {0, 1}},
    {"numpy.random", "normal", "random_normal", "random_normals", 0, 2, {0, 1}},
    {"numpy.random", "uniform", "random_uniform", "random_uniforms", 0, 2, {0, 1}},
    {"numpy.random", "exponential", "random_exponential", "", 0, 1, {1}},
};

TypedExpression real(double value) { return TypedExpression::constant(rt::Scalar::weak(value)); }

}  // namespace

std::string FunctionTranslator::module_of(const syntax::Expr& node) {
  const Value value = static_value(node);
  if (value.is_undefined() || vm_.type_name(value) != "module") return "";
  const Value name = vm_.try_get_attribute(value, vm_.intern("__name__"));
  return name.is_defined() && name.is<Str>() ? std::string(name.as<Str>()->view()) : "";
}

std::optional<TypedExpression> FunctionTranslator::try_random_call(const syntax::Call& node) {
  const auto* function = syntax::try_as<syntax::Attribute>(node.func);
  const bool is_module_name = function && (function->value->kind == syntax::ExprKind::Name ||
                                           function->value->kind == syntax::ExprKind::Attribute);
  if (!is_module_name || program_.target != Target::kFunction) return std::nullopt;
  if (dialect_ == Dialect::kLanguage) return std::nullopt;
  const std::string module = module_of(*function->value);
  if (module != "random" && module != "numpy.random") return std::nullopt;
  for (const Draw& each : kDraws) {
    if (each.module == module && each.name == function->attr)
      return drawn(each.symbol, each.arrays, each.least, each.most, each.defaults, each.axes, node);
  }
  if (auto out = try_random_int(module, function->attr, node)) return out;
  fail_translation(node.func->span, "a compiled function cannot call {}.{}()", module,
                   function->attr);
}

TypedExpression FunctionTranslator::drawn(std::string_view symbol, std::string_view arrays,
                                          size_t least, size_t most,
                                          const std::array<double, 2>& defaults, bool axes,
                                          const syntax::Call& node) {
  const TypedType type = float_type(dialect_);
  std::vector<TypedExpression> args, extents;
  const syntax::Expr* size = nullptr;
  for (const syntax::Keyword& each : node.keywords) {
    if (each.name != "size") fail_translation(each.span, "give it by position, or as size=");
    size = each.value;
  }
  for (size_t i = 0; i < node.args.size(); ++i) {
    if (i < most) args.push_back(cast_to(number(*node.args[i]), type));
    else if (axes) extents.push_back(cast_to(number(*node.args[i]), int_type(dialect_)));
    else if (i == most && !size) size = node.args[i];
    else fail_translation(node.args[i]->span, "this function takes {} numbers", most);
  }
  if (args.size() < least) fail_translation(node.span, "this function takes {} numbers", least);
  const size_t wanted = symbol == "random_double" ? 0 : symbol == "random_exponential" ? 1 : 2;
  while (args.size() < wanted) args.push_back(cast_to(real(defaults[args.size()]), type));
  if (size) {
    for (TypedExpression& each : split_index(expression(*size), size->span))
      extents.push_back(cast_to(std::move(each), int_type(dialect_)));
  }
  TypedExpression out;
  if (extents.empty()) {
    out = failing_call(std::string(symbol), type, std::move(args));
  } else {
    if (arrays.empty()) fail_translation(node.span, "this function draws one number at a time");
    const int rank = static_cast<int>(extents.size());
    for (TypedExpression& each : extents) args.push_back(std::move(each));
    out = failing_call(fmt::format("{}<{}>", arrays, rank), made_array(rt::DType::kFloat64, rank),
                       std::move(args));
  }
  out.effects = true;
  return out;
}

static TypedExpression whole(int64_t n) { return TypedExpression::constant(rt::Scalar::weak(n)); }

// An array of draws by the extents behind the arguments, or one draw.
static TypedExpression draws(std::string_view one, const std::string& many, rt::DType dtype,
                             std::vector<TypedExpression> args,
                             std::vector<TypedExpression> extents) {
  if (extents.empty())
    return failing_call(std::string(one), TypedType::number(dtype), std::move(args));
  const int rank = static_cast<int>(extents.size());
  for (TypedExpression& each : extents) args.push_back(std::move(each));
  return failing_call(fmt::format("{}{}>", many, rank), made_array(dtype, rank), std::move(args));
}

// The argument `size`; empty where it is not given or None.
std::vector<TypedExpression> FunctionTranslator::drawn_extents(const syntax::Expr* size) {
  const auto* constant = syntax::try_as<syntax::Constant>(size);
  if (!size || (constant && constant->constant_kind == syntax::ConstantKind::None)) return {};
  std::vector<TypedExpression> out;
  for (TypedExpression& each : split_index(expression(*size), size->span))
    out.push_back(cast_to(std::move(each), int_type(dialect_)));
  return out;
}

// What shuffle, permutation and choice take: an array of one axis.
TypedExpression FunctionTranslator::population(const syntax::Expr& node) {
  TypedExpression out = expression(node);
  if (out.type.is_array() && out.type.rank == 1) return out;
  if (out.type.is_number() && rt::is_integer(out.type.dtype))
    return failing_call("arange<i64>", made_array(rt::DType::kInt64, 1),
                        {whole(0), cast_to(std::move(out), int_type(dialect_)), whole(1)});
  fail_translation(node.span, "this is {}, and an int or an array of one axis is needed",
                   rt::typed::type_text(out.type));
}

// randint(low, high, size)
TypedExpression FunctionTranslator::random_int(std::string_view module, std::string_view name,
                                               const syntax::Call& node) {
  const TypedType type = int_type(dialect_);
  const bool is_python = module == "random", is_closed = is_python && name == "randint";
  const syntax::Expr* size = is_python ? nullptr : argument(node, 2, "size");
  if (!size) check_count(node, is_closed ? 2 : 1, 2);
  if (node.args.empty()) fail_translation(node.span, "{}() needs its bound", name);
  TypedExpression low = cast_to(number(*node.args[0]), type), end = whole(0);
  if (node.args.size() >= 2) end = cast_to(number(*node.args[1]), type);
  else std::swap(low, end);
  if (is_closed) end = binary(syntax::BinaryOperator::Add, std::move(end), whole(1), node.span);
  return draws(is_python ? "random_range" : "random_int", "random_ints<", type.dtype,
               {std::move(low), cast_to(std::move(end), type)}, drawn_extents(size));
}

// choice(a, size, replace)
TypedExpression FunctionTranslator::random_choice(const syntax::Call& node) {
  const syntax::Expr *of = argument(node, 0, "a"), *size = argument(node, 1, "size"),
                     *replace = argument(node, 2, "replace");
  if (!of) fail_translation(node.span, "choice() needs its argument 'a'");
  TypedExpression from = population(*of);
  const rt::DType dtype = from.type.dtype;
  std::vector<TypedExpression> extents = drawn_extents(size), args = {std::move(from)};
  if (!extents.empty()) {
    args.push_back(replace ? truth_of(number(*replace))
                           : TypedExpression::constant(rt::Scalar(true)));
  }
  return draws("random_item", fmt::format("random_items<{}, ", element_symbol(dtype)), dtype,
               std::move(args), std::move(extents));
}

// Draws of ints and of items, and seeds.
std::optional<TypedExpression> FunctionTranslator::try_random_int(std::string_view module,
                                                                  std::string_view name,
                                                                  const syntax::Call& node) {
  const bool is_numpy = module == "numpy.random";
  TypedExpression out;
  if (name == "seed") {
    check_count(node, 1, 1);
    out = failing_call("random_start", TypedType(),
                       {cast_to(number(*node.args[0]), int_type(dialect_))});
  } else if (name == "shuffle") {
    check_count(node, 1, 1);
    TypedExpression array = expression(*node.args[0]);
    if (!array.type.is_array() || array.type.rank != 1)
      fail_translation(node.span, "shuffle() takes an array of one axis here");
    effects_ = true;
    out = failing_call(is_numpy ? "random_shuffled" : "random_sequence_shuffled", TypedType(),
                       {std::move(array)});
  } else if (name == "randint" || (name == "randrange" && !is_numpy)) {
    out = random_int(module, name, node);
  } else if (name == "permutation" && is_numpy) {
    check_count(node, 1, 1);
    TypedExpression from = population(*node.args[0]);
    const rt::DType dtype = from.type.dtype;
    out = failing_call(fmt::format("random_permuted<{}>", element_symbol(dtype)),
                       made_array(dtype, 1), {std::move(from)});
  } else if (name == "choice" && is_numpy) {
    out = random_choice(node);
  } else {
    return std::nullopt;
  }
  out.effects = true;
  return out;
}

}  // namespace gpy
