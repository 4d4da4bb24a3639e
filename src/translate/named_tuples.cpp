// Tuples whose items have names: arguments of classes made by collections.namedtuple and
// typing.NamedTuple, and calls of such classes.
#include <algorithm>

#include "src/objects/dict.h"
#include "src/translate/function_translator.h"
#include "src/translate/type_specs.h"

namespace gpy {

TypedExpression FunctionTranslator::named_tuple_of(const Type& type,
                                                   std::vector<TypedExpression> items) {
  TypedExpression out = tuple_of(std::move(items));
  out.type = named_tuple_type(vm_, type, std::move(out.type.items));
  return out;
}

TypedExpression FunctionTranslator::named_item(TypedExpression tuple,
                                               const syntax::Attribute& node) {
  const std::vector<std::string>& names = tuple.type.names;
  const auto found = std::find(names.begin() + 1, names.end(), node.attr);
  if (found == names.end())
    fail_translation(node.attr_span, "Unknown attribute '{}' of type {}", node.attr,
                     numba_text(tuple.type));
  return item_of(tuple, static_cast<size_t>(found - names.begin()) - 1);
}

// `Point(1, y=2)`
TypedExpression FunctionTranslator::make_named_tuple(const Type& type, const syntax::Call& node) {
  check_dialect(node.span);
  const TypedType fields = named_tuple_type(vm_, type, {});
  const size_t count = fields.names.size() - 1;
  if (node.args.size() > count)
    fail_translation(node.span, "{}() takes {} values, and {} are given", fields.names[0], count,
                     node.args.size());
  std::vector<std::optional<TypedExpression>> given;
  for (const syntax::Expr* each : node.args) given.push_back(expression(*each));
  given.resize(count);
  for (const syntax::Keyword& each : node.keywords) {
    const auto at = std::find(fields.names.begin() + 1, fields.names.end(), each.name);
    const auto place = static_cast<size_t>(at - fields.names.begin()) - 1;
    if (at == fields.names.end() || given[place])
      fail_translation(each.span, "{}() does not take '{}' here", fields.names[0], each.name);
    given[place] = expression(*each.value);
  }
  const Value defaults = vm_.get_attribute(class_of(fields), vm_.intern("_field_defaults"));
  std::vector<TypedExpression> items;
  for (size_t i = 0; i < count; ++i) {
    const Value* otherwise =
        given[i] ? nullptr : defaults.as<Dict>()->find(vm_.intern(fields.names[i + 1]));
    if (!given[i] && !otherwise)
      fail_translation(node.span, "{}() needs its '{}'", fields.names[0], fields.names[i + 1]);
    items.push_back(given[i] ? std::move(*given[i]) : constant_value(*otherwise, node.span));
  }
  return named_tuple_of(type, std::move(items));
}

}  // namespace gpy
