// List and Dict of numba.typed, made in compiled functions.
#include "src/objects/function.h"
#include "src/objects/str.h"
#include "src/translate/array_form.h"
#include "src/objects/containers.h"
#include "src/translate/function_translator.h"
#include "src/translate/type_specs.h"

namespace gpy {

// "list" or "dict", of numba.typed's classes; empty: it is neither.
static std::string container_kind(Interpreter& vm, const Value& callee) {
  if (callee.is_undefined() || !callee.is<Type>()) return "";
  const Value kind = vm.try_get_attribute(callee, vm.intern("_numba_container"));
  return kind.is_defined() && kind.is<Str>() ? std::string(kind.as<Str>()->view()) : "";
}

static TypedType declared_by(Interpreter& vm, const Value& type, syntax::Span place) {
  const Value spec = type.is_defined() ? vm.try_get_attribute(type, vm.intern("_spec")) : Value();
  if (spec.is_undefined()) fail_translation(place, "this is no type of numba's");
  return owned_items(declared_type(vm, vm.call(spec, {})));
}

// List(), List(items), List.new_container(type), Dict(), Dict.empty(key_type, value_type).
std::optional<TypedExpression> FunctionTranslator::try_container(const syntax::Call& node) {
  if (dialect_ != Dialect::kNumba) return std::nullopt;
  std::string kind = container_kind(vm_, static_value(*node.func));
  if (kind == "list") return typed_list(node);
  if (kind == "dict") return new_container(TypedType::empty_map());
  const auto* method = syntax::try_as<syntax::Attribute>(node.func);
  if (method) kind = container_kind(vm_, static_value(*method->value));
  if (kind.empty()) return std::nullopt;
  const std::vector<Value> starred = starred_types(node);
  const auto type_of = [&](size_t place, std::string_view name) {
    if (place < starred.size()) return declared_by(vm_, starred[place], node.args[0]->span);
    const syntax::Expr* given = argument(node, place - starred.size(), name);
    if (!given) fail_translation(node.span, "{}() needs '{}'", method->attr, name);
    return declared_by(vm_, static_value(*given), given->span);
  };
  if (kind == "list" && method->attr == "empty_list") {
    TypedType type = TypedType::list(type_of(0, "item_type"));
    type.names = {"typed"};
    return new_container(type);
  }
  if (kind == "dict" && method->attr == "empty")
    return new_container(TypedType::map(type_of(0, "key_type"), type_of(1, "value_type")));
  fail_translation(method->attr_span, "compiled code does not call {}() of a class", method->attr);
}

// The items of a tuple that is given as `*types`; none: nothing is given so.
std::vector<Value> FunctionTranslator::starred_types(const syntax::Call& node) {
  const auto* starred = syntax::try_as<syntax::Starred>(node.args.empty() ? nullptr : node.args[0]);
  if (!starred) return {};
  const Value tuple = static_value(*starred->value);
  if (tuple.is_undefined() || !tuple.is<Tuple>() || node.args.size() > 1)
    fail_translation(starred->span, "only one tuple that is known outside is taken with a star");
  const std::span<const Value> items = tuple.as<Tuple>()->items();
  return {items.begin(), items.end()};
}

// A list of what its argument goes through.
TypedExpression FunctionTranslator::typed_list(const syntax::Call& node) {
  check_count(node, 0, 1);
  TypedType type = known_containers_[&node].value_or(TypedType::empty_list());
  type.names = {"typed"};
  if (node.args.empty()) return new_container(type);
  const TypedExpression list = kept(new_container(type), node.span);
  Iteration iteration = iterate_over(*node.args[0]);
  TypedStatement loop = counted_loop(std::move(iteration.count), node.span);
  const TypedExpression at = TypedExpression::variable(loop.variable, int_type(dialect_));
  run_block_loop(std::move(loop), [&] {
    TypedExpression item = iteration.item(at);
    std::optional<TypedType>& known = known_containers_[&node];
    if (!known) {
      known = TypedType::list(owned_items(item.type));
      variables_.note_change();
      return;
    }
    TypedExpression call =
        failing_call("list_append", TypedType(), {list, cast_to(std::move(item), known->items[0])});
    call.effects = true;
    emit(TypedStatement::Kind::kEvaluate, node.span).values = {std::move(call)};
  });
  return list;
}

}  // namespace gpy
