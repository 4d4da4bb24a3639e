// What compiled functions call that stands in the language itself, in numba.library: functions of
// numpy and numpy.linalg, methods of arrays, builtins. And what such functions ask of their
// arguments while they are translated: dtypes and texts, which have no value in compiled code.
#include <algorithm>

#include "src/array/convert.h"
#include "src/code.h"
#include "src/objects/dict.h"
#include "src/objects/function.h"
#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"

namespace gpy {

// --- calls ---------------------------------------------------------------------------------------

std::optional<TypedExpression> FunctionTranslator::try_library(std::string_view module,
                                                               std::string_view name,
                                                               std::vector<TypedExpression> before,
                                                               const syntax::Call& node) {
  if (dialect_ != Dialect::kNumba || name.empty()) return std::nullopt;
  const Value functions = vm_.get_attribute(vm_.import_module("numba.library"), vm_.intern(module));
  const Value* found = functions.as<Dict>()->find(vm_.intern(name));
  if (!found) return std::nullopt;
  check_arrays(node.span);
  try {
    return call_with(*found->as<Function>(), std::move(before), node);
  } catch (TranslationFailure& failure) {
    const bool is_inside = failure.file && failure.file->name().starts_with("<gpy>/");
    if (is_inside) failure = {node.span, fmt::format("{}(): {}", name, failure.message), nullptr};
    throw;
  }
}

TypedExpression FunctionTranslator::library_call(std::string_view function,
                                                 std::vector<TypedExpression> args,
                                                 syntax::Span place) {
  syntax::Call node;
  node.span = place;
  auto out = try_library("FUNCTIONS", function, std::move(args), node);
  if (!out) fail_translation(place, "a compiled body cannot call '{}'", function);
  return std::move(*out);
}

// The name under which numpy.linalg has this very object; empty: it is none of those.
std::string FunctionTranslator::linalg_name(const Value& callee) {
  const std::string name = name_of(callee);
  if (name.empty() || !vm_.modules->find(vm_.intern("numpy.linalg"))) return "";
  const Value own = vm_.try_get_attribute(vm_.import_module("numpy.linalg"), vm_.intern(name));
  return own.is_defined() && own.same(callee) ? name : "";
}

std::optional<TypedExpression> FunctionTranslator::try_library_function(const Value& callee,
                                                                        const syntax::Call& node) {
  if (auto out = try_library("FUNCTIONS", numpy_name(callee), {}, node)) return out;
  return try_library("LINALG", linalg_name(callee), {}, node);
}

// --- dtypes and texts ----------------------------------------------------------------------------

// The dtype of `node`, of which nothing else is computed.
Value FunctionTranslator::dtype_value(const syntax::Expr& node) {
  if (dialect_ == Dialect::kLanguage) return Value();
  Block unused;
  Block* const block = std::exchange(block_, &unused);
  const TypedExpression of = expression(node);
  block_ = block;
  const bool has_dtype = of.type.is_array() || of.type.is_number();
  return has_dtype ? wrap_dtype(vm_, of.type.dtype) : Value();
}

// np.promote_types(a.dtype, b.dtype), np.finfo(np.float64), np.iinfo(a.dtype)
Value FunctionTranslator::known_call(const syntax::Call& node) {
  if (dialect_ == Dialect::kLanguage || node.args.empty() || node.args.size() > 2) return Value();
  const bool is_named = node.func->kind == syntax::ExprKind::Attribute;
  const Value callee = is_named ? static_value(*node.func) : Value();
  const std::string name = callee.is_defined() ? numpy_name(callee) : "";
  if (name != "promote_types" && name != "finfo" && name != "iinfo") return Value();
  std::vector<Value> args;
  for (const syntax::Expr* each : node.args) args.push_back(known_name(*each));
  if (std::ranges::any_of(args, &Value::is_undefined)) return Value();
  return vm_.call(callee, CallArgs{args.data(), static_cast<uint32_t>(args.size())});
}

// `dtype = a.dtype`: a name for what is known, not a variable.
bool FunctionTranslator::names_dtype(const syntax::Assign& node) {
  const auto* name = syntax::try_as<syntax::Name>(node.targets[0]);
  const auto* attribute = syntax::try_as<syntax::Attribute>(node.value);
  const auto* call = syntax::try_as<syntax::Call>(node.value);
  if (!name || node.targets.size() > 1) return false;
  Value dtype;
  if (attribute && attribute->attr == "dtype") dtype = static_value(*attribute);
  if (call) dtype = known_call(*call);
  if (dtype.is_undefined()) return false;
  name_known(name->id, dtype, node.span);
  return true;
}

// What runs first of several assignments is not known here.
void FunctionTranslator::name_known(std::string_view name, const Value& value, syntax::Span place) {
  const auto [at, is_new] = known_names_.try_emplace(std::string(name), value);
  if (!is_new && !vm_.equal(at->second, value))
    fail_translation(place, "'{}' is {} before and {} here: give each a name of its own", name,
                     vm_.to_str(at->second), vm_.to_str(value));
}

// A text, or what static_value() knows.
Value FunctionTranslator::known_operand(const syntax::Expr& node) {
  const auto* constant = syntax::try_as<syntax::Constant>(&node);
  if (!constant) return known_name(node);
  const bool is_text = constant->constant_kind == syntax::ConstantKind::String;
  return is_text ? Value(vm_.intern(constant->text)) : Value();
}

// dtype == np.float64, mode == "full"
std::optional<TypedExpression> FunctionTranslator::try_known_comparison(
    const syntax::Compare& node) {
  using enum syntax::CompareOperator;
  const syntax::Comparison& only = node.comparisons[0];
  const bool asks = only.op == Eq || only.op == NotEq || only.op == Is || only.op == IsNot;
  if (dialect_ == Dialect::kLanguage || node.comparisons.size() != 1 || !asks) return std::nullopt;
  const Value left = known_operand(*node.left);
  const Value right = left.is_defined() ? known_operand(*only.right) : Value();
  if (right.is_undefined()) return std::nullopt;
  const auto is_known = [](const Value& each) { return each.is<DTypeObject>() || each.is<Str>(); };
  if (!is_known(left) && !is_known(right)) return std::nullopt;
  const bool wanted = only.op == Eq || only.op == Is;
  return TypedExpression::constant(rt::Scalar(vm_.equal(left, right) == wanted));
}

}  // namespace gpy
