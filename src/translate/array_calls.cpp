// Functions of numpy and methods of arrays in compiled functions: a row of a table each.
#include <algorithm>

#include "src/array/read_arguments.h"
#include "src/objects/containers.h"
#include "src/objects/dict.h"
#include "src/translate/array_call.h"
#include "src/translate/array_form.h"

namespace gpy {

using Kind = TypedExpression::Kind;
using rt::DType;

TypedExpression ArrayCall::array(size_t i) {
  TypedExpression out = operand(i);
  if (out.type.is_array()) return out;
  fail_translation(place, "{}() takes an array here, not {}", name, rt::typed::type_text(out.type));
}

TypedExpression ArrayCall::index(size_t i, int64_t otherwise) {
  if (!has(i)) return TypedExpression::constant(rt::Scalar::weak(otherwise));
  TypedExpression out = number(i);
  if (!rt::is_integer(out.type.dtype))
    fail_translation(given[i]->span, "this is {}, and an int is needed",
                     rt::typed::type_text(out.type));
  return cast_to(std::move(out), int_type(in.dialect_));
}

// np.float64, float, "f8", a.dtype, and types that have a dtype.
DType ArrayCall::named_dtype(const syntax::Expr& node) {
  if (const auto* text = syntax::try_as<syntax::Constant>(&node);
      text && text->constant_kind == syntax::ConstantKind::String) {
    if (const auto named = rt::dtype_from_name(text->text)) return *named;
    fail_translation(node.span, "data type '{}' not understood", text->text);
  }
  const Value value = in.known_name(node);
  if (value.is_undefined()) fail_translation(node.span, "this names no dtype");
  const Value own =
      value.is<Type>() ? Value() : in.vm_.try_get_attribute(value, in.vm_.intern("dtype"));
  return to_dtype(in.vm_, own.is_defined() ? own : value);
}

std::vector<TypedExpression> ArrayCall::items(size_t i) {
  TypedExpression all = operand(i);
  if (!all.type.is_tuple())
    fail_translation(place, "{}() takes a tuple here, not {}", name,
                     rt::typed::type_text(all.type));
  return split(std::move(all));
}

std::vector<TypedExpression> ArrayCall::split(TypedExpression tuple) {
  if (tuple.kind == Kind::kTuple) return std::move(tuple.args);
  return in.split_index(std::move(tuple), place);
}

TypedExpression ArrayCall::library(std::string_view function, std::vector<TypedExpression> args) {
  return in.library_call(function, std::move(args), place);
}

int64_t ArrayCall::literal_int(size_t i) {
  const TypedExpression out = number(i);
  if (out.kind != Kind::kNumber || !rt::is_integer(out.type.dtype))
    fail_translation(given[i]->span, "{}() needs a literal int here", name);
  return out.number.as_int();
}

std::optional<int> ArrayCall::axis(size_t i, int rank) {
  if (!has(i)) return std::nullopt;
  const int64_t at = literal_int(i);
  if (at < -rank || at >= rank)
    fail_translation(given[i]->span, "axis {} is out of bounds for array of dimension {}", at,
                     rank);
  return static_cast<int>(at < 0 ? at + rank : at);
}

std::vector<TypedExpression> ArrayCall::extents(const syntax::Expr& node) {
  TypedExpression shape = in.expression(node);
  std::vector<TypedExpression> out = in.split_index(std::move(shape), node.span);
  for (TypedExpression& each : out) {
    if (!each.type.is_number() || !rt::is_integer(each.type.dtype))
      fail_translation(node.span, "a shape is made of ints, and this is {}",
                       rt::typed::type_text(each.type));
    each = cast_to(std::move(each), int_type(in.dialect_));
  }
  if (out.empty()) fail_translation(node.span, "arrays of a compiled function have an axis");
  return out;
}

namespace {

using namespace array_functions;

// --- the table -----------------------------------------------------------------------------------

struct Row {
  std::string_view name;
  std::array<std::string_view, 4> parameters;
  size_t required;
  TypedExpression (*call)(ArrayCall&);
  enum Use : uint8_t { kFunction = 1, kMethod = 2, kBoth = 3, kView = 6 } use = kFunction;
  bool takes_rest = false;
};

constexpr Row kRows[] = {
    {"zeros", {"shape", "dtype"}, 1, zeros},
    {"empty", {"shape", "dtype"}, 1, empty},
    {"ones", {"shape", "dtype"}, 1, ones},
    {"full", {"shape", "fill_value", "dtype"}, 2, full},
    {"zeros_like", {"a", "dtype"}, 1, zeros_like},
    {"empty_like", {"a", "dtype"}, 1, empty_like},
    {"ones_like", {"a", "dtype"}, 1, ones_like},
    {"full_like", {"a", "fill_value", "dtype"}, 2, full_like},
    {"arange", {"start", "stop", "step", "dtype"}, 1, arange},
    {"linspace", {"start", "stop", "num", "endpoint"}, 2, linspace},
    {"eye", {"N", "M", "k", "dtype"}, 1, eye},
    {"identity", {"n", "dtype"}, 1, identity},
    {"array", {"object", "dtype"}, 1, array},
    {"asarray", {"a", "dtype"}, 1, array},
    {"ascontiguousarray", {"a", "dtype"}, 1, array},
    {"copy", {"a"}, 1, copy, Row::kBoth},
    {"astype", {"a", "dtype"}, 2, astype, Row::kMethod},
    {"view", {"a", "dtype"}, 2, viewed, Row::kView},
    {"reshape", {"a", "shape"}, 2, reshape, Row::kBoth, true},
    {"ravel", {"a"}, 1, ravel, Row::kBoth},
    {"flatten", {"a"}, 1, flatten, Row::kMethod},
    {"transpose", {"a", "axes"}, 1, transpose, Row::kBoth, true},
    {"sum", {"a", "axis", "dtype"}, 1, sum, Row::kBoth},
    {"prod", {"a", "axis", "dtype"}, 1, product, Row::kBoth},
    {"mean", {"a", "axis", "dtype"}, 1, mean, Row::kBoth},
    {"min", {"a", "axis"}, 1, least, Row::kBoth},
    {"max", {"a", "axis"}, 1, greatest, Row::kBoth},
    {"amin", {"a", "axis"}, 1, least},
    {"amax", {"a", "axis"}, 1, greatest},
    {"argmin", {"a", "axis"}, 1, argmin, Row::kBoth},
    {"argmax", {"a", "axis"}, 1, argmax, Row::kBoth},
    {"any", {"a", "axis"}, 1, any, Row::kBoth},
    {"all", {"a", "axis"}, 1, all, Row::kBoth},
    {"var", {"a", "axis"}, 1, variance, Row::kBoth},
    {"std", {"a", "axis"}, 1, deviation, Row::kBoth},
    {"cumsum", {"a"}, 1, cumsum, Row::kBoth},
    {"cumprod", {"a"}, 1, cumprod, Row::kBoth},
    {"dot", {"a", "b"}, 2, dot, Row::kBoth},
    {"matmul", {"x1", "x2"}, 2, dot},
    {"sort", {"a"}, 1, sorted},
    {"sort", {"a"}, 1, sort_in_place, Row::kMethod},
    {"argsort", {"a", "kind"}, 1, argsort, Row::kBoth},
    {"fill", {"a", "value"}, 2, fill, Row::kMethod},
    {"item", {"a"}, 1, item, Row::kMethod},
    {"where", {"condition", "x", "y"}, 1, where},
    {"clip", {"a", "a_min", "a_max"}, 1, clip, Row::kBoth},
    {"concatenate", {"arrays", "axis"}, 1, concatenate},
    {"stack", {"arrays", "axis"}, 1, stack},
    {"vstack", {"tup"}, 1, vstack},
    {"row_stack", {"tup"}, 1, vstack},
    {"hstack", {"tup"}, 1, hstack},
    {"dstack", {"tup"}, 1, dstack},
    {"column_stack", {"tup"}, 1, column_stack},
    {"swapaxes", {"a", "axis1", "axis2"}, 3, swapaxes},
    {"broadcast_to", {"array", "shape"}, 2, broadcast_to},
    {"shape", {"a"}, 1, shape_of},
    {"size", {"a"}, 1, size_of},
    {"ndim", {"a"}, 1, ndim_of},
};

const Row* find_row(std::string_view name, Row::Use use) {
  const Row* found = std::ranges::find_if(
      kRows, [&](const Row& each) { return each.name == name && (each.use & use); });
  return found == std::end(kRows) ? nullptr : found;
}

// The places of the arguments among the row's parameters, from `first` on.
void bind(const Row& row, const syntax::Call& node, size_t first, ArrayCall& call) {
  const size_t count =
      static_cast<size_t>(std::ranges::find(row.parameters, "") - row.parameters.begin());
  call.given.resize(count, nullptr);
  for (size_t i = 0; i < node.args.size(); ++i) {
    if (first + i < count) call.given[first + i] = node.args[i];
    else if (row.takes_rest) call.rest.push_back(node.args[i]);
    else fail_translation(node.args[i]->span, "{}() takes {} arguments here", row.name, count);
  }
  for (const syntax::Keyword& each : node.keywords) {
    const auto at = std::ranges::find(row.parameters, each.name) - row.parameters.begin();
    if (each.name.empty() || static_cast<size_t>(at) >= count)
      fail_translation(each.span, "{}() has no argument '{}' in a compiled function", row.name,
                       each.name);
    call.given[static_cast<size_t>(at)] = each.value;
  }
  for (size_t i = first; i < row.required; ++i) {
    if (!call.given[i])
      fail_translation(node.span, "{}() needs its argument '{}'", row.name, row.parameters[i]);
  }
}

}  // namespace

// The name under which numpy has this very object; empty: it is none of numpy's.
std::string FunctionTranslator::numpy_name(const Value& callee) {
  const std::string name = name_of(callee);
  if (name.empty() || !vm_.modules->find(vm_.intern("numpy"))) return "";
  const Value numpy = vm_.import_module("numpy");
  const Value own = vm_.try_get_attribute(numpy, vm_.intern(name));
  return own.is_defined() && own.same(callee) ? name : "";
}

std::optional<TypedExpression> FunctionTranslator::try_array_function(const Value& callee,
                                                                      const syntax::Call& node) {
  const Row* row = find_row(numpy_name(callee), Row::kFunction);
  if (!row) return std::nullopt;
  check_arrays(node.span);
  ArrayCall call{*this, row->name, node.span, std::nullopt, {}, {}};
  bind(*row, node, 0, call);
  return row->call(call);
}

std::optional<TypedExpression> FunctionTranslator::try_array_method(TypedExpression object,
                                                                    std::string_view name,
                                                                    const syntax::Call& node) {
  const Row* row = object.type.is_array() ? find_row(name, Row::kMethod) : nullptr;
  if (!row) return std::nullopt;
  row->use == Row::kView ? check_views(node.span) : check_arrays(node.span);
  ArrayCall call{*this, row->name, node.span, std::move(object), {}, {}};
  bind(*row, node, 1, call);
  return row->call(call);
}

}  // namespace gpy
