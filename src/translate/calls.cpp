// Names that are not local, and calls of what they name.
#include <algorithm>

#include "src/array/convert.h"
#include "src/code.h"
#include "src/objects/function.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "src/translate/intrinsic.h"
#include "src/translate/stencil.h"
#include "src/translate/type_specs.h"

namespace gpy {

using Kind = TypedExpression::Kind;

// --- names ---------------------------------------------------------------------------------------

Value FunctionTranslator::global(std::string_view name) {
  for (const auto& [captured, value] : source_.captured) {
    if (captured == name) return value;
  }
  Str* key = vm_.intern(name);
  if (Value* found = source_.globals->find(key)) return *found;
  if (Value* found = vm_.builtins->find(key)) return *found;
  if (program_.target != Target::kGrid || dialect_ != Dialect::kNumpy) return Value();
  return make_intrinsic(vm_, name == "cuda" ? "" : name);
}

// An attribute of an array of the module that its elements have a part in: the array is a value of
// the body then, and this is what it is of any array.
static bool needs_elements(const Value& object, std::string_view attribute) {
  constexpr std::string_view kKnown[] = {"dtype", "shape", "ndim", "size", "itemsize", "nbytes"};
  const Ndarray* array = as_ndarray(object);
  return array && array->array.rank() > 0 &&
         std::ranges::find(kKnown, attribute) == std::end(kKnown);
}

Value FunctionTranslator::static_value(const syntax::Expr& node) {
  if (const auto* name = syntax::try_as<syntax::Name>(&node)) {
    if (const auto group = known_names_.find(name->id); group != known_names_.end())
      return group->second;
    return variables_.find(name->id) >= 0 ? Value() : global(name->id);
  }
  if (const auto* call = syntax::try_as<syntax::Call>(&node)) {
    const Value group = group_of(node);
    return group.is_defined() ? group : known_call(*call);
  }
  if (node.kind == syntax::ExprKind::Subscript) return group_of(node);
  const auto* attribute = syntax::try_as<syntax::Attribute>(&node);
  if (!attribute) return Value();
  const Value object = static_value(*attribute->value);
  if (object.is_undefined())
    return attribute->attr == "dtype" ? dtype_value(*attribute->value) : Value();
  if (needs_elements(object, attribute->attr)) return Value();
  const Value found = vm_.try_get_attribute(object, vm_.intern(attribute->attr));
  if (found.is_undefined()) {
    const auto* module = object.try_as<Module>();
    fail_translation(
        attribute->attr_span, "{} has no attribute '{}'",
        module ? fmt::format("module '{}'", module->name) : std::string(vm_.type_name(object)),
        attribute->attr);
  }
  return found;
}

// --- calls ---------------------------------------------------------------------------------------

void FunctionTranslator::check_count(const syntax::Call& node, size_t least, size_t most) {
  if (!node.keywords.empty())
    fail_translation(node.keywords[0].span, "keywords are not taken here: give it by position");
  if (node.args.size() >= least && node.args.size() <= most) return;
  const std::string_view callee = source_.tree->source->text(node.func->span);
  fail_translation(node.span, "{}() takes {} here, and {} are given", callee,
                   least == most ? fmt::format("{} arguments", least)
                                 : fmt::format("{} to {} arguments", least, most),
                   node.args.size());
}

std::vector<TypedExpression> FunctionTranslator::arguments(const syntax::Call& node) {
  if (!node.keywords.empty())
    fail_translation(node.keywords[0].span, "keywords are not taken here: give it by position");
  std::vector<TypedExpression> out;
  for (const syntax::Expr* each : node.args) out.push_back(expression(*each));
  return out;
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Call& node) {
  if (const auto* name = syntax::try_as<syntax::Name>(node.func)) {
    if (const LocalFunction* function = find_local_function(name->id))
      return call_local(*function, node);
  }
  if (auto out = try_random_call(node)) return std::move(*out);
  if (auto out = try_container(node)) return std::move(*out);
  const Value callee = static_value(*node.func);
  if (callee.is_defined()) return call_value(callee, node);
  if (const auto* name = syntax::try_as<syntax::Name>(node.func)) {
    if (variables_.find(name->id) >= 0)
      fail_translation(node.func->span, "'{}' is a number here, not a function", name->id);
    // The functions of CUDA C, which texts of kernels call by these names too.
    const rt::Ufunc* ufunc = rt::find_ufunc(name->id);
    if (ufunc && dialect_ == Dialect::kNumpy) return call_ufunc(*ufunc, node);
    fail_translation(name->span, "name '{}' is not defined", name->id);
  }
  if (const auto* attribute = syntax::try_as<syntax::Attribute>(node.func))
    return call_method(*attribute, node);
  refuse_expression(*node.func);
}

TypedExpression FunctionTranslator::call_value(const Value& callee, const syntax::Call& node) {
  if (const auto* intrinsic = callee.try_as<IntrinsicObject>())
    return call_intrinsic(intrinsic->name, node);
  if (const auto* type = callee.try_as<Type>()) {
    if (dialect_ == Dialect::kNumba && is_jit_class(vm_, *type)) return make_instance(*type, node);
    if (is_named_tuple(vm_, *type)) return make_named_tuple(*type, node);
    return call_type(*type, node);
  }
  if (auto* function = callee.try_as<Function>()) {
    if (auto out = try_marked_function(callee, node)) return std::move(*out);
    if (!function->code->is_library) return call_function(*function, node);
  }
  if (const auto* native = callee.try_as<NativeFunction>()) {
    if (native->qualifier.empty()) return call_builtin(native->row->name, node);
    if (native->qualifier == "math") return call_math(native->row->name, node);
    if (native->qualifier == "cmath") return call_cmath(native->row->name, node);
  }
  if (const auto dtype = dtype_of_type_object(callee)) {
    check_count(node, 1, 1);
    return cast_to(number(*node.args[0]), TypedType::number(*dtype));
  }
  if (auto out = try_array_function(callee, node)) return std::move(*out);
  if (auto out = try_library_function(callee, node)) return std::move(*out);
  if (source_.is_library && callee.is<Function>())
    return call_function(*callee.as<Function>(), node);
  if (const Value spec = stencil_spec(vm_, callee); spec.is_defined())
    return call_stencil(spec, node);
  const std::string name = name_of(callee);
  if (vm_.type_name(callee) == "numpy.ufunc") {
    if (const rt::Ufunc* ufunc = rt::find_ufunc(name)) return call_ufunc(*ufunc, node);
  }
  if (const Value inner = calls_wrapped_functions()
                              ? vm_.try_get_attribute(callee, vm_.intern("py_func"))
                              : Value();
      inner.is_defined() && inner.is<Function>()) {
    return call_function(*inner.as<Function>(), node);
  }
  const bool is_attribute = node.func->kind == syntax::ExprKind::Attribute;
  const std::string_view text = source_.tree->source->text(node.func->span);
  fail_translation(node.func->span, "a compiled body cannot call '{}'",
                   is_attribute   ? text
                   : name.empty() ? vm_.type_name(callee)
                                  : name);
}

// Functions that say what stands for them in compiled code: numba.carray, and those that
// numba.extending.overload was told of.
std::optional<TypedExpression> FunctionTranslator::try_marked_function(const Value& callee,
                                                                       const syntax::Call& node) {
  if (dialect_ != Dialect::kNumba) return std::nullopt;
  const Value marked = vm_.try_get_attribute(callee, vm_.intern("_numba_call"));
  if (marked.is_defined()) return array_at_pointer(node);
  const Value choices = vm_.try_get_attribute(callee, vm_.intern("_numba_overloads"));
  if (choices.is_undefined()) return std::nullopt;
  Block unused;  // the arguments are computed where the chosen function is called
  Block* const block = std::exchange(block_, &unused);
  std::vector<TypedType> types;
  for (const TypedExpression& each : arguments(node)) types.push_back(each.type);
  block_ = block;
  const Value chosen = program_.overload_of(callee, choices, types);
  if (chosen.is_undefined()) return std::nullopt;
  return call_function(*chosen.as<Function>(), node);
}

// carray(pointer, shape)
TypedExpression FunctionTranslator::array_at_pointer(const syntax::Call& node) {
  const syntax::Expr *pointer = argument(node, 0, "ptr"), *extents = argument(node, 1, "shape");
  if (!pointer || !extents) fail_translation(node.span, "carray() takes a pointer and a shape");
  std::vector<TypedExpression> args = {expression(*pointer)};
  if (!args[0].type.is_array() || args[0].type.rank != 1)
    fail_translation(pointer->span, "this is no pointer");
  for (TypedExpression& each : split_index(expression(*extents), extents->span))
    args.push_back(cast_to(std::move(each), int_type(dialect_)));
  const int rank = static_cast<int>(args.size()) - 1;
  const TypedType type = TypedType::array(args[0].type.dtype, rank, true);
  return support_call(fmt::format("array_at<{}, {}>", element_symbol(type.dtype), rank), type,
                      std::move(args));
}

// f(a, ..., out=result)
TypedExpression FunctionTranslator::call_stencil(const Value& spec, const syntax::Call& node) {
  check_arrays(node.span);
  std::vector<TypedExpression> args;
  for (const syntax::Expr* each : node.args) args.push_back(expression(*each));
  for (const syntax::Keyword& each : node.keywords) {
    if (each.name != "out") fail_translation(each.span, "a stencil does not take '{}'", each.name);
    args.push_back(expression(*each.value));
  }
  const ProgramBuilder::Callee callee = program_.stencil_for(spec, types_of(args), node.span);
  return call_of(callee, "a stencil", std::move(args), node.span);
}

// Of numba.float64 and kin, which convert numbers.
std::optional<rt::DType> FunctionTranslator::dtype_of_type_object(const Value& callee) {
  if (dialect_ == Dialect::kLanguage || callee.is<Function>() || as_ndarray(callee) ||
      callee.is<NativeFunction>())
    return std::nullopt;
  const Value dtype = vm_.try_get_attribute(callee, vm_.intern("dtype"));
  if (dtype.is_undefined() || !dtype.is<DTypeObject>()) return std::nullopt;
  return dtype.as<DTypeObject>()->dtype;
}

std::string FunctionTranslator::name_of(const Value& callee) {
  const Value name = vm_.try_get_attribute(callee, vm_.intern("__name__"));
  return name.is_defined() && name.is<Str>() ? std::string(name.as<Str>()->view()) : "";
}

TypedExpression FunctionTranslator::call_method(const syntax::Attribute& method,
                                                const syntax::Call& node) {
  TypedExpression object = expression(*method.value);
  if (object.type.is_instance()) return call_instance(std::move(object), method, node);
  if (object.type.is_number() && (method.attr == "conjugate" || method.attr == "conj")) {
    check_count(node, 0, 0);
    return conjugated(std::move(object), node.span);
  }
  if (auto out = try_list_method(object, method.attr, node)) return std::move(*out);
  if (auto out = try_map_method(object, method.attr, node)) return std::move(*out);
  if (auto out = try_array_method(object, method.attr, node)) return std::move(*out);
  if (object.type.is_array()) {
    if (auto out = try_library("METHODS", method.attr, {object}, node)) return std::move(*out);
  }
  fail_translation(method.attr_span, "{} has no method '{}' in a compiled body",
                   rt::typed::type_text(object.type), method.attr);
}

TypedExpression FunctionTranslator::call_ufunc(const rt::Ufunc& ufunc, const syntax::Call& node) {
  const auto arity = static_cast<size_t>(ufunc.arity);
  check_count(node, arity, arity);
  return row(ufunc, arguments(node), RowUse::kFunction, node.span);
}

// --- types and functions -------------------------------------------------------------------------

TypedExpression FunctionTranslator::call_type(const Type& type, const syntax::Call& node) {
  const Types& types = vm_.types;
  if (const auto text =
          syntax::try_as<syntax::Constant>(node.args.empty() ? nullptr : node.args[0]);
      text && text->constant_kind == syntax::ConstantKind::String && &type == types.real) {
    check_count(node, 1, 1);
    return constant_value(vm_.call(Value(types.real), {vm_.str(text->text)}), node.span);
  }
  if (&type == types.list && dialect_ == Dialect::kNumba) return list_from(node);
  std::optional<TypedType> to;
  if (&type == types.integer) to = int_type(dialect_);
  if (&type == types.real) to = float_type(dialect_);
  if (&type == types.boolean) to = TypedType::truth();
  if (&type == types.complex) return call_complex(node);
  if (const auto dtype = arrays(vm_).dtype_of(&type)) to = TypedType::number(*dtype);
  if (!to)
    fail_translation(node.func->span, "a compiled body cannot make a '{}'", type.full_name());
  check_count(node, 1, 1);
  TypedExpression value = number(*node.args[0]);
  const bool is_narrow =
      &type == types.real && dialect_ == Dialect::kNumba && value.type.dtype == rt::DType::kFloat32;
  if (is_narrow) return value;
  if (rt::is_complex(value.type.dtype) && !rt::is_complex(to->dtype) &&
      to->dtype != rt::DType::kBool) {
    fail_translation(node.span, "a complex number does not become a real one: take its .real");
  }
  return cast_to(std::move(value), *to);
}

TypedExpression FunctionTranslator::call_complex(const syntax::Call& node) {
  check_count(node, 1, 2);
  const TypedType type = TypedType::number(
      rt::DType::kComplex128, has_strong_literals(dialect_) ? rt::Weak::kNo : rt::Weak::kComplex);
  TypedExpression real = number(*node.args[0]);
  if (node.args.size() == 1) return cast_to(std::move(real), type);
  TypedExpression imag = number(*node.args[1]);
  const TypedType part = TypedType::number(rt::DType::kFloat64);
  return support_call("Complex<f64>", type,
                      {cast_to(std::move(real), part), cast_to(std::move(imag), part)});
}

// The arguments by the function's parameters; null: its default.
std::vector<const syntax::Expr*> FunctionTranslator::bound_arguments(const Function& function,
                                                                     const syntax::Call& node,
                                                                     size_t before) {
  const FunctionParameters& parameters = function.code->parameters;
  const size_t count = std::max<size_t>(parameters.positional, before) - before;
  if (node.args.size() > count)
    return {node.args.begin(), node.args.end()};  // which is told as of any call
  std::vector<const syntax::Expr*> out(node.args.begin(), node.args.end());
  out.resize(count, nullptr);
  for (const syntax::Keyword& each : node.keywords) {
    size_t at = 0;
    while (at < count && parameters.names[before + at]->view() != each.name) ++at;
    if (at == count || out[at])
      fail_translation(each.span, "'{}' does not take '{}' here", function.code->name, each.name);
    out[at] = each.value;
  }
  for (size_t i = 0; i + function.defaults.size() < count; ++i) {
    if (!out[i])
      fail_translation(node.span, "'{}' needs its argument '{}'", function.code->name,
                       parameters.names[before + i]->view());
  }
  return out;
}

TypedExpression FunctionTranslator::call_function(Function& function, const syntax::Call& node) {
  return call_with(function, {}, node);
}

TypedExpression FunctionTranslator::call_with(Function& function,
                                              std::vector<TypedExpression> before,
                                              const syntax::Call& node) {
  std::vector<TypedExpression> args = std::move(before);
  std::vector<TypedType> types = types_of(args);
  std::vector<Value> statics(args.size());
  const std::vector<const syntax::Expr*> given = bound_arguments(function, node, args.size());
  const size_t first_default = given.size() - std::min(given.size(), function.defaults.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const Value otherwise = given[i] ? Value() : function.defaults[i - first_default];
    const bool knows_default =
        !given[i] && (is_known_argument(vm_, otherwise) || otherwise.is<Str>());
    statics.push_back(knows_default ? otherwise : given[i] ? known_argument(*given[i]) : Value());
    const bool is_typed = statics.back().is_undefined();
    if (is_typed)
      args.push_back(given[i] ? expression(*given[i]) : constant_value(otherwise, node.span));
    types.push_back(is_typed ? args.back().type : TypedType());
    const bool is_unknown = types.back().is_list() && types.back().items.empty();
    if (is_unknown && function.code->is_library && given[i]) throw UnknownItem{given[i]->span};
  }
  const ProgramBuilder::Callee callee = program_.function_for(function, types, node.span, statics);
  return call_of(callee, function.code->name, std::move(args), node.span);
}

// A function, None, a text or a dtype as an argument; undefined: it is a value.
Value FunctionTranslator::known_argument(const syntax::Expr& node) {
  const auto* constant = syntax::try_as<syntax::Constant>(&node);
  if (constant && constant->constant_kind == syntax::ConstantKind::None) return Value::none();
  const Value value = known_operand(node);
  if (value.is_undefined()) return value;
  return is_known_argument(vm_, value) || value.is<Str>() || value.is<DTypeObject>() ? value
                                                                                     : Value();
}

// The value of a name; of a parameter that the body knows, until the name is assigned to.
Value FunctionTranslator::known_name(const syntax::Expr& node) {
  const auto* name = syntax::try_as<syntax::Name>(&node);
  if (!name) return static_value(node);
  if (const auto group = known_names_.find(name->id); group != known_names_.end())
    return group->second;
  const int variable = variables_.find(name->id);
  if (variable < 0) return static_value(node);
  if (flow_.maybe[static_cast<size_t>(variable)]) return Value();
  for (const auto& [captured, value] : source_.captured) {
    if (captured == name->id) return value;
  }
  return Value();
}

bool is_known_argument(Interpreter& vm, const Value& value) {
  if (value.is_none() || value.is<Function>()) return true;
  if (const auto* intrinsic = value.try_as<IntrinsicObject>())
    return intrinsic->name.starts_with("cg.");
  if (as_ndarray(value) || vm.type_of(value) != arrays(vm).compiled) return false;
  return true;
}

std::vector<TypedType> FunctionTranslator::types_of(const std::vector<TypedExpression>& values) {
  std::vector<TypedType> types;
  for (const TypedExpression& each : values) types.push_back(each.type);
  return types;
}

TypedExpression FunctionTranslator::call_of(const ProgramBuilder::Callee& callee,
                                            std::string_view name,
                                            std::vector<TypedExpression> args, syntax::Span place) {
  if (!callee.result) throw UnknownItem{place, std::string(name)};
  TypedExpression out;
  out.kind = Kind::kCall;
  out.index = callee.index;
  out.type = *callee.result;
  out.effects = callee.effects;
  effects_ = effects_ || callee.effects;
  for (const TypedExpression& each : args) out.effects = out.effects || each.effects;
  out.args = std::move(args);
  return out;
}

}  // namespace gpy
