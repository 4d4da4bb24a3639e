// Lists of numbers in compiled functions.
#include <algorithm>

#include "runtime/typed/write.h"
#include "src/translate/array_form.h"
#include "src/translate/function_translator.h"
#include "src/translate/slicing.h"

namespace gpy {

using Kind = TypedExpression::Kind;

static std::string item_symbol(const TypedType& list) {
  return list.items.empty() ? "i64" : rt::typed::cpp_type(list.items[0]);
}

static TypedExpression constant_index(int64_t n) {
  return TypedExpression::constant(rt::Scalar::weak(n));
}

// Whether items can be compared.
static bool is_comparable(const TypedType& item) {
  return item.is_number() || (item.is_tuple() && std::ranges::all_of(item.items, is_comparable));
}

// A list has one type of items; without any it takes the type of the first that is appended.
TypedExpression FunctionTranslator::list_of(std::vector<TypedExpression> items,
                                            syntax::Span place) {
  check_arrays(place);
  std::optional<TypedType> item;
  for (const TypedExpression& each : items) {
    const TypedType own = owned_items(each.type);
    const auto both = item ? try_join(dialect_, *item, own) : own;
    if (!both || !is_item(*both))
      fail_translation(place, "a list of compiled code holds items of one type");
    item = both;
  }
  if (!item) return new_container(TypedType::empty_list());
  for (TypedExpression& each : items) each = cast_to(std::move(each), *item);
  const TypedType type = TypedType::list(*item);
  return failing_call(fmt::format("list_of<{}>", item_symbol(type)), type, std::move(items));
}

bool FunctionTranslator::is_item(const TypedType& type) { return !type.is_none(); }

TypedExpression FunctionTranslator::visit_expression(const syntax::List& node) {
  std::vector<TypedExpression> items;
  for (const syntax::Expr* each : node.elts) items.push_back(expression(*each));
  return list_of(std::move(items), node.span);
}

// list[a:b]
TypedExpression FunctionTranslator::list_slice(TypedExpression list, const syntax::Slice& node) {
  if (list.type.items.empty()) throw UnknownItem{node.span};
  Slicing slicing;
  add_slice(slicing, list, node);
  const TypedType type = list.type;
  if (slicing.numbers.empty()) return failing_call("list_copy", type, {std::move(list)});
  std::vector<TypedExpression> args = {std::move(list), constant_index(slicing.kinds[0])};
  for (TypedExpression& each : slicing.numbers) args.push_back(std::move(each));
  return failing_call("list_slice", type, std::move(args));
}

TypedExpression FunctionTranslator::list_size(TypedExpression list) {
  return support_call("list_size", int_type(dialect_), {std::move(list)});
}

TypedExpression FunctionTranslator::list_item(TypedExpression list, TypedExpression index,
                                              syntax::Span place) {
  if (!index.type.is_number() || !rt::is_integer(index.type.dtype))
    fail_translation(place, "a list of compiled code is indexed by an int, not by {}",
                     rt::typed::type_text(index.type));
  if (list.type.items.empty()) throw UnknownItem{place};
  if (list.kind != Kind::kVariable) list = kept(std::move(list), place);
  TypedExpression out;
  out.kind = Kind::kElement;
  out.type = list.type.items[0];
  out.effects = true;
  TypedExpression at = failing_call("list_index", int_type(dialect_),
                                    {list, cast_to(std::move(index), int_type(dialect_))});
  out.args = {std::move(list), std::move(at)};
  return out;
}

// del list[index]
void FunctionTranslator::delete_item(const syntax::Subscript& node) {
  TypedExpression list = expression(*node.value), index = expression(*node.slice);
  if (list.type.is_map()) {
    index = as_key(list, std::move(index), node.span);
    TypedExpression call =
        failing_call("map_delete", TypedType(), {std::move(list), std::move(index)});
    call.effects = true;
    effects_ = true;
    emit(TypedStatement::Kind::kEvaluate, node.span).values = {std::move(call)};
    return;
  }
  if (!list.type.is_list() || !index.type.is_number())
    fail_translation(node.span, "compiled code deletes names and items of lists only");
  TypedExpression call = failing_call(
      "list_delete", TypedType(), {std::move(list), cast_to(std::move(index), int_type(dialect_))});
  call.effects = true;
  effects_ = true;
  emit(TypedStatement::Kind::kEvaluate, node.span).values = {std::move(call)};
}

// The variable that a list is in learns of the type of an item.
TypedExpression FunctionTranslator::widen_list(const TypedExpression& list, const TypedType& item,
                                               syntax::Span place) {
  if (!is_item(item)) fail_translation(place, "a list of compiled code holds no None");
  TypedType type = TypedType::list(owned_items(item));
  type.names = list.type.names;
  if (list.kind == Kind::kVariable && !variables_.widen(dialect_, list.index, type, place))
    fail_translation(place, "this list holds {}, and {} is added", rt::typed::type_text(list.type),
                     rt::typed::type_text(item));
  TypedExpression out = list;
  if (list.kind == Kind::kVariable) out.type = *variables_.type(list.index);
  if (out.type.items.empty()) throw UnknownItem{place};
  return out;
}

namespace {

struct ListMethod {
  std::string_view name, symbol;
  size_t least, most;
};
constexpr ListMethod kMethods[] = {
    {"append", "list_append", 1, 1},   {"insert", "list_insert", 2, 2},
    {"pop", "list_pop", 0, 1},         {"clear", "list_clear", 0, 0},
    {"extend", "list_extend", 1, 1},   {"sort", "list_sort", 0, 0},
    {"reverse", "list_reverse", 0, 0}, {"copy", "list_copy", 0, 0},
    {"index", "list_find", 1, 1},      {"count", "list_count", 1, 1},
    {"remove", "list_remove", 1, 1}};

}  // namespace

std::optional<TypedExpression> FunctionTranslator::try_list_method(TypedExpression list,
                                                                   std::string_view name,
                                                                   const syntax::Call& node) {
  const auto* method = std::ranges::find(kMethods, name, &ListMethod::name);
  if (!list.type.is_list() || method == std::end(kMethods)) return std::nullopt;
  check_count(node, method->least, method->most);
  std::vector<TypedExpression> args = arguments(node);
  TypedType result;
  if (name == "append" || name == "insert") {
    list = widen_list(list, args.back().type, node.span);
    args.back() = cast_to(std::move(args.back()), list.type.items[0]);
  }
  if (name == "extend") {
    if (!args[0].type.is_list()) fail_translation(node.span, "a list is extended by a list here");
    if (!args[0].type.items.empty()) list = widen_list(list, args[0].type.items[0], node.span);
    args[0] = cast_to(std::move(args[0]), list.type);
  }
  const bool compares = name == "sort" || name == "index" || name == "count" || name == "remove";
  if (compares) {
    if (list.type.items.empty()) throw UnknownItem{node.span};
    if (!is_comparable(list.type.items[0]))
      fail_translation(node.span, "the items of this list, {}, have no order and no equality here",
                       rt::typed::type_text(list.type.items[0]));
    if (name != "sort") args[0] = cast_to(std::move(args[0]), list.type.items[0]);
  }
  if (name == "copy") result = list.type;
  if (name == "index" || name == "count") result = int_type(dialect_);
  if (name == "pop" && args.empty()) args.push_back(constant_index(-1));
  if (name == "pop" && list.type.items.empty()) throw UnknownItem{node.span};
  if (name == "pop") result = list.type.items[0];
  args.insert(args.begin(), std::move(list));
  TypedExpression out = failing_call(std::string(method->symbol), result, std::move(args));
  out.effects = true;
  const bool only_reads = name == "copy" || name == "index" || name == "count";
  effects_ = effects_ || !only_reads;
  return out;
}

// `+` of two lists and `*` of a list and an int.
TypedExpression FunctionTranslator::list_binary(syntax::BinaryOperator op, TypedExpression left,
                                                TypedExpression right, syntax::Span place) {
  if (op == syntax::BinaryOperator::Mult && right.type.is_list()) std::swap(left, right);
  const TypedType type = left.type;
  if (op == syntax::BinaryOperator::Mult && right.type.is_number() &&
      rt::is_integer(right.type.dtype)) {
    return failing_call("list_repeated", type,
                        {std::move(left), cast_to(std::move(right), int_type(dialect_))});
  }
  if (op == syntax::BinaryOperator::Add && left.type.is_list() && right.type.is_list()) {
    const auto both = try_join(dialect_, left.type, right.type);
    if (both)
      return failing_call("list_joined", *both,
                          {cast_to(std::move(left), *both), cast_to(std::move(right), *both)});
  }
  fail_translation(place, "this operator has no meaning for {} and {}",
                   rt::typed::type_text(left.type), rt::typed::type_text(right.type));
}

// --- comprehensions ------------------------------------------------------------------------------

// Its targets are names of their own, which have a suffix among the function's.
class FunctionTranslator::Scope {
 public:
  Scope(FunctionTranslator& in, std::string suffix)
      : in_(in), outer_(in.variables_.enter_scope(std::move(suffix))) {}
  ~Scope() { in_.variables_.leave_scope(std::move(outer_)); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  FunctionTranslator& in_;
  std::string outer_;
};

TypedExpression FunctionTranslator::visit_expression(const syntax::ListComp& node) {
  check_arrays(node.span);
  if (conditional_ > 0)
    fail_translation(node.span,
                     "this list is made in the midst of a condition: give it a name in "
                     "a statement before");
  const int list = own_variable(comprehended_[&node].value_or(TypedType::empty_list()), false);
  TypedStatement& out = emit(TypedStatement::Kind::kAssign, node.span);
  const TypedType type = *variables_.type(list);
  out.variable = list;
  out.values = {new_container(type)};
  const Scope scope(*this, scope_suffix(node));
  add_comprehended(node, 0, list);
  return TypedExpression::variable(list, *variables_.type(list));
}

// The loops from number `depth` on, and the item in the innermost.
void FunctionTranslator::add_comprehended(const syntax::ListComp& node, size_t depth, int list) {
  if (depth == node.generators.size()) return add_item(node, expression(*node.elt), list);
  const syntax::Comprehension& part = node.generators[depth];
  Iteration iteration = iterate_over(*part.iter);
  TypedStatement loop = counted_loop(std::move(iteration.count), node.span);
  const TypedExpression at = TypedExpression::variable(loop.variable, int_type(dialect_));
  run_block_loop(std::move(loop), [&] {
    assign(*part.target, iteration.item(at), part.target->span);
    filtered(part.ifs, [&] { add_comprehended(node, depth + 1, list); });
  });
}

// The block for what passes all of the conditions.
void FunctionTranslator::filtered(syntax::ExprList tests, const std::function<void()>& inner) {
  if (tests.empty()) return inner();
  TypedStatement out;
  out.kind = TypedStatement::Kind::kIf;
  out.line = source_.tree->source->line_of(tests[0]->span.begin);
  out.values = {condition(*tests[0])};
  Block body;
  Block* outer = std::exchange(block_, &body);
  filtered(tests.subspan(1), inner);
  block_ = outer;
  out.body = std::move(body);
  block_->push_back(std::move(out));
}

// list(iterable)
TypedExpression FunctionTranslator::list_from(const syntax::Call& node) {
  check_count(node, 0, 1);
  check_arrays(node.span);
  if (node.args.empty()) return new_container(TypedType::empty_list());
  if (conditional_ > 0)
    fail_translation(node.span,
                     "this list is made in the midst of a condition: give it a name in "
                     "a statement before");
  Iteration iteration = iterate_over(*node.args[0]);
  const int list = own_variable(comprehended_[&node].value_or(TypedType::empty_list()), false);
  TypedStatement& out = emit(TypedStatement::Kind::kAssign, node.span);
  out.variable = list;
  out.values = {new_container(*variables_.type(list))};
  TypedStatement loop = counted_loop(std::move(iteration.count), node.span);
  const TypedExpression at = TypedExpression::variable(loop.variable, int_type(dialect_));
  run_block_loop(std::move(loop), [&] { add_item(node, iteration.item(at), list); });
  return TypedExpression::variable(list, *variables_.type(list));
}

// `node`: the comprehension, or what else makes the list.
void FunctionTranslator::add_item(const syntax::Expr& node, TypedExpression item, int list) {
  if (!is_item(item.type)) fail_translation(node.span, "a list of compiled code holds no None");
  const TypedType type = TypedType::list(owned_items(item.type));
  item = cast_to(std::move(item), type.items[0]);
  std::optional<TypedType>& known = comprehended_[&node];
  if (known != type) {
    known = type;
    variables_.note_change();
  }
  TypedExpression call = failing_call("list_append", TypedType(),
                                      {TypedExpression::variable(list, type), std::move(item)});
  call.effects = true;
  emit(TypedStatement::Kind::kEvaluate, node.span).values = {std::move(call)};
}

}  // namespace gpy
