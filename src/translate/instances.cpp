// Instances of numba.experimental.jitclass: fields, properties, methods, special methods.
#include <algorithm>

#include "src/objects/function.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "runtime/typed/write.h"
#include "src/translate/type_specs.h"

namespace gpy {

using Kind = TypedExpression::Kind;

static const Type& class_type(const TypedType& instance) {
  return *static_cast<const Type*>(instance.of);
}

// The place of a field among those of its class.
static std::optional<size_t> find_field(const TypedType& instance, std::string_view name) {
  const auto first = instance.names.begin() + 1;
  const auto at = std::find(first, instance.names.end(), name);
  if (at == instance.names.end()) return std::nullopt;
  return static_cast<size_t>(at - first);
}

TypedExpression FunctionTranslator::field_of(TypedExpression instance, size_t index) {
  if (instance.kind != Kind::kVariable && instance.kind != Kind::kField)
    instance = kept(std::move(instance), {});
  if (instance.kind == Kind::kField) {
    const TypedType type = instance.type;
    instance = failing_call("present", type, {std::move(instance)});
  }
  TypedExpression out;
  out.kind = Kind::kField;
  out.index = static_cast<int>(index);
  out.type = instance.type.items[index];
  out.effects = instance.effects;
  out.args = {std::move(instance)};
  return out;
}

TypedExpression FunctionTranslator::instance_attribute(TypedExpression instance,
                                                       const syntax::Attribute& node) {
  if (const auto field = find_field(instance.type, node.attr))
    return field_of(std::move(instance), *field);
  const Value getter = class_getter(vm_, class_type(instance.type), node.attr);
  if (getter.is_undefined())
    fail_translation(node.attr_span, "Unknown attribute '{}' of type {}", node.attr,
                     numba_text(instance.type));
  const ProgramBuilder::Callee callee =
      program_.function_for(*getter.as<Function>(), {instance.type}, node.span);
  return call_of(callee, node.attr, {std::move(instance)}, node.span);
}

void FunctionTranslator::assign_attribute(const syntax::Attribute& target, TypedExpression value,
                                          syntax::Span place) {
  if (value.effects) value = kept(std::move(value), place);
  TypedExpression instance = expression(*target.value);
  if (!instance.type.is_instance())
    fail_translation(target.span, "a compiled body assigns to names, elements and fields only");
  const TypedType type = instance.type;
  const auto field = find_field(type, target.attr);
  const Value setter = field ? Value() : class_setter(vm_, class_type(type), target.attr);
  if (!field && setter.is_undefined())
    fail_translation(target.span, "Cannot resolve setattr: ({}).{} = {}", numba_text(type),
                     target.attr, numba_text(value.type));
  effects_ = true;
  if (!field) {
    const ProgramBuilder::Callee callee =
        program_.function_for(*setter.as<Function>(), {type, value.type}, place);
    TypedExpression call =
        call_of(callee, target.attr, {std::move(instance), std::move(value)}, place);
    call.effects = true;
    emit(TypedStatement::Kind::kEvaluate, place).values = {std::move(call)};
    return;
  }
  TypedExpression at = field_of(std::move(instance), *field);
  const bool is_container = value.type.is_list() || value.type.is_map();
  if (is_container && value.type.items.empty()) value = cast_to(std::move(value), at.type);
  const bool both_numbers = at.type.is_number() && value.type.is_number();
  const auto joined = both_numbers ? at.type : try_join(dialect_, at.type, value.type);
  if (!joined || *joined != at.type)
    fail_translation(place, "the field '{}' is {}, and this is {}", target.attr,
                     rt::typed::type_text(at.type), rt::typed::type_text(value.type));
  const TypedType to = at.type;
  emit(TypedStatement::Kind::kStore, place).values = {std::move(at), cast_to(std::move(value), to)};
}

TypedExpression FunctionTranslator::call_instance(TypedExpression instance,
                                                  const syntax::Attribute& method,
                                                  const syntax::Call& node) {
  const Type& type = class_type(instance.type);
  if (const Value fixed = class_static(vm_, type, method.attr); fixed.is_defined())
    return call_with(*fixed.as<Function>(), {}, node);
  const Value function = class_method(vm_, type, method.attr);
  if (function.is_undefined())
    fail_translation(method.attr_span, "Unknown attribute '{}' of type {}", method.attr,
                     numba_text(instance.type));
  return call_with(*function.as<Function>(), {std::move(instance)}, node);
}

// `Bag(4)`: a new instance whose __init__ is run.
TypedExpression FunctionTranslator::make_instance(const Type& type, const syntax::Call& node) {
  check_arrays(node.span);
  const TypedType made = instance_type(vm_, type);
  std::string fields = rt::typed::cpp_type(made);
  fields = "new_instance" + fields.substr(std::string_view("Instance").size());
  TypedExpression out = kept(failing_call(fields, made, {}), node.span);
  const Value init = class_method(vm_, type, "__init__");
  TypedExpression call = call_with(*init.as<Function>(), {out}, node);
  effects_ = true;
  emit(TypedStatement::Kind::kEvaluate, node.span).values = {std::move(call)};
  return out;
}

// --- special methods -----------------------------------------------------------------------------

std::optional<TypedExpression> FunctionTranslator::try_special(std::string_view name,
                                                               std::vector<TypedExpression> args,
                                                               syntax::Span place) {
  if (!args[0].type.is_instance()) return std::nullopt;
  const Value function = class_method(vm_, class_type(args[0].type), name);
  if (function.is_undefined()) return std::nullopt;
  const ProgramBuilder::Callee callee =
      program_.function_for(*function.as<Function>(), types_of(args), place);
  return call_of(callee, name, std::move(args), place);
}

static std::string_view special_name(syntax::BinaryOperator op) {
  using enum syntax::BinaryOperator;
  switch (op) {
    case Add: return "add";
    case Sub: return "sub";
    case Mult: return "mul";
    case MatMult: return "matmul";
    case Div: return "truediv";
    case Mod: return "mod";
    case Pow: return "pow";
    case LShift: return "lshift";
    case RShift: return "rshift";
    case BitOr: return "or";
    case BitXor: return "xor";
    case BitAnd: return "and";
    case FloorDiv: return "floordiv";
  }
  return "";
}

std::optional<TypedExpression> FunctionTranslator::try_special_operator(
    syntax::BinaryOperator op, const TypedExpression& left, const TypedExpression& right,
    syntax::Span place) {
  const std::string_view name = special_name(op);
  if (auto out = try_special(fmt::format("__{}__", name), {left, right}, place)) return out;
  return try_special(fmt::format("__r{}__", name), {right, left}, place);
}

std::optional<TypedExpression> FunctionTranslator::try_special_comparison(
    syntax::CompareOperator op, const TypedExpression& left, const TypedExpression& right,
    syntax::Span place) {
  using enum syntax::CompareOperator;
  if (!left.type.is_instance()) return std::nullopt;
  if ((op == Is || op == IsNot) && right.type == left.type) {
    TypedExpression same = support_call("same", TypedType::truth(), {left, right});
    return op == Is ? same : negated_truth(std::move(same));
  }
  switch (op) {
    case Eq: return try_special("__eq__", {left, right}, place);
    case NotEq: return try_special("__ne__", {left, right}, place);
    case Lt: return try_special("__lt__", {left, right}, place);
    case LtE: return try_special("__le__", {left, right}, place);
    case Gt: return try_special("__gt__", {left, right}, place);
    case GtE: return try_special("__ge__", {left, right}, place);
    default: return std::nullopt;
  }
}

}  // namespace gpy
