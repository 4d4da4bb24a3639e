// Dictionaries in compiled functions.
#include <algorithm>

#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"

namespace gpy {

using Kind = TypedExpression::Kind;

// A key is what can be compared; its types are those of the first that is set.
static bool is_key(const TypedType& type) {
  return type.is_number() || (type.is_tuple() && std::ranges::all_of(type.items, is_key));
}

// The variable that a dictionary is in learns of the types of a key and a value.
TypedExpression FunctionTranslator::widen_map(const TypedExpression& map, const TypedType& key,
                                              const TypedType& value, syntax::Span place) {
  if (!map.type.items.empty()) return map;
  if (!is_key(key))
    fail_translation(place, "a key of a compiled dictionary is a number, or a tuple of them");
  if (!is_item(value)) fail_translation(place, "a dictionary of compiled code holds no None");
  if (map.kind != Kind::kVariable) throw UnknownItem{place};
  variables_.widen(dialect_, map.index, TypedType::map(key, owned_items(value)), place);
  TypedExpression out = map;
  out.type = *variables_.type(map.index);
  return out;
}

TypedExpression FunctionTranslator::as_key(const TypedExpression& map, TypedExpression key,
                                           syntax::Span place) {
  if (map.type.items.empty()) throw UnknownItem{place};
  const auto both = try_join(dialect_, map.type.items[0], key.type);
  if (!both || *both != map.type.items[0])
    fail_translation(place, "the keys of this dictionary are {}, and this is {}",
                     rt::typed::type_text(map.type.items[0]), rt::typed::type_text(key.type));
  return cast_to(std::move(key), map.type.items[0]);
}

TypedExpression FunctionTranslator::as_value(const TypedExpression& map, TypedExpression value,
                                             syntax::Span place) {
  const TypedType& type = map.type.items[1];
  const auto both = try_join(dialect_, type, owned_items(value.type));
  if (!both || *both != type)
    fail_translation(place, "the values of this dictionary are {}, and this is {}",
                     rt::typed::type_text(type), rt::typed::type_text(value.type));
  return cast_to(std::move(value), type);
}

TypedExpression FunctionTranslator::visit_expression(const syntax::Dict& node) {
  check_arrays(node.span);
  TypedExpression map = TypedExpression::variable(
      own_variable(known_containers_[&node].value_or(TypedType::empty_map()), false),
      TypedType::empty_map());
  map.type = *variables_.type(map.index);
  TypedStatement& made = emit(TypedStatement::Kind::kAssign, node.span);
  made.variable = map.index;
  made.values = {new_container(map.type)};
  for (const syntax::DictItem& each : node.items) {
    if (!each.key) fail_translation(node.span, "a compiled dictionary is not unpacked");
    TypedExpression key = expression(*each.key), value = expression(*each.value);
    if (map.type.items.empty()) {
      known_containers_[&node] = TypedType::map(key.type, owned_items(value.type));
      variables_.note_change();
      throw UnknownItem{node.span};
    }
    set_map_item(map, std::move(key), std::move(value), node.span);
  }
  return map;
}

void FunctionTranslator::set_map_item(TypedExpression map, TypedExpression key,
                                      TypedExpression value, syntax::Span place) {
  map = widen_map(map, key.type, value.type, place);
  key = as_key(map, std::move(key), place);
  value = as_value(map, std::move(value), place);
  TypedExpression call =
      failing_call("map_set", TypedType(), {std::move(map), std::move(key), std::move(value)});
  call.effects = true;
  effects_ = true;
  emit(TypedStatement::Kind::kEvaluate, place).values = {std::move(call)};
}

TypedExpression FunctionTranslator::map_item(TypedExpression map, TypedExpression key,
                                             syntax::Span place) {
  key = as_key(map, std::move(key), place);
  const TypedType type = map.type.items[1];
  TypedExpression out = failing_call("map_get", type, {std::move(map), std::move(key)});
  out.effects = true;
  return out;
}

namespace {

struct MapMethod {
  std::string_view name, symbol;
  size_t least, most;
};
constexpr MapMethod kMethods[] = {{"get", "map_get_or", 2, 2},
                                  {"pop", "map_pop", 1, 2},
                                  {"setdefault", "map_setdefault", 2, 2},
                                  {"clear", "map_clear", 0, 0},
                                  {"copy", "map_copy", 0, 0},
                                  {"update", "map_update", 1, 1},
                                  {"keys", "map_keys", 0, 0},
                                  {"values", "map_values", 0, 0},
                                  {"items", "map_items", 0, 0}};

}  // namespace

std::optional<TypedExpression> FunctionTranslator::try_map_method(TypedExpression map,
                                                                  std::string_view name,
                                                                  const syntax::Call& node) {
  const auto* method = std::ranges::find(kMethods, name, &MapMethod::name);
  if (!map.type.is_map() || method == std::end(kMethods)) return std::nullopt;
  check_count(node, method->least, method->most);
  std::vector<TypedExpression> args = arguments(node);
  std::string symbol(method->symbol);
  if (name == "setdefault") map = widen_map(map, args[0].type, args[1].type, node.span);
  if (map.type.items.empty()) throw UnknownItem{node.span};
  const TypedType key = map.type.items[0], value = map.type.items[1];
  TypedType result;
  if (name == "update") {
    if (!args[0].type.is_map()) fail_translation(node.span, "a dictionary is updated by one");
    if (args[0].type.items != map.type.items)
      fail_translation(node.span, "these dictionaries have different types");
  } else if (!args.empty()) {
    args[0] = as_key(map, std::move(args[0]), node.span);
    if (args.size() > 1) args[1] = as_value(map, std::move(args[1]), node.span);
    if (name == "pop" && args.size() > 1) symbol = "map_pop_or";
    result = value;
  }
  if (name == "copy") result = map.type;
  if (name == "keys") result = TypedType::list(key);
  if (name == "values") result = TypedType::list(value);
  if (name == "items") result = TypedType::list(TypedType::tuple({key, value}));
  args.insert(args.begin(), std::move(map));
  TypedExpression out = failing_call(std::move(symbol), result, std::move(args));
  out.effects = true;
  effects_ =
      effects_ || name == "pop" || name == "setdefault" || name == "clear" || name == "update";
  return out;
}

}  // namespace gpy
