#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "grammar/builders/expressions.h"
#include "grammar/target.h"

namespace gpy::syntax {
namespace {

bool is_keyword_item(const Item& item) {
  return item.role == Role::keyword || item.role == Role::double_star;
}

void build_generator(State& state, Frame frame, std::span<const Item> items) {
  auto* node = state.arena.make<GeneratorExp>();
  node->elt = items[0].expr;
  adopt(*node, node->elt);
  node->generators = take_comprehensions(state, items.subspan(1));
  for (const Comprehension& clause : node->generators) {
    adopt(*node, clause.target);
    adopt(*node, clause.iter);
    adopt(*node, clause.ifs);
  }
  state.replace(frame.base, node, frame.span);
  state.items.back().role = Role::bare_generator;
}

// `left=value`, where left has been read as an expression.
void build_keyword(State& state, Frame frame, const Item& left, const Item& value) {
  auto kind = left.expr->kind;
  bool is_name = kind == ExprKind::Name && left.outer.begin == left.expr->span.begin;
  if (!is_name) {
    auto word = describe(*left.expr);
    bool is_word = word == "True" || word == "False" || word == "None";
    state.fail(left.outer, is_word
                               ? fmt::format("cannot assign to {}", word)
                               : "expression cannot contain assignment, perhaps you meant \"==\"?");
  }
  Item keyword = value;
  keyword.role = Role::keyword;
  keyword.name = left.outer;
  keyword.outer = frame.span;
  state.drop_to(frame.base);
  state.items.push_back(keyword);
}

[[noreturn]] void fail_order(State& state, const Item& item, const Item& keyword,
                             const char* message) {
  auto error = with_note(make_error(item.outer, message), keyword.outer, "given by keyword");
  state.fail(with_hint(std::move(error), fmt::format("put {} before {}", state.text(item.outer),
                                                     state.text(keyword.outer))));
}

// `keyword` and `unpacking` are the first argument of each kind before the item, or null.
void check_positional(State& state, const Item& item, const Item* keyword, const Item* unpacking) {
  bool is_star = item.expr->kind == ExprKind::Starred;
  if (is_star && unpacking) {
    fail_order(state, item, *unpacking,
               "iterable argument unpacking follows keyword argument unpacking");
  }
  if (is_star || !keyword) return;
  fail_order(state, item, *keyword,
             unpacking ? "positional argument follows keyword argument unpacking"
                       : "positional argument follows keyword argument");
}

[[noreturn]] void fail_bare_generator(State& state, const Item& item) {
  state.fail(with_hint(make_error(item.outer, "Generator expression must be parenthesized"),
                       fmt::format("write ({})", state.text(item.outer))));
}

void check_order(State& state, std::span<const Item> items) {
  const Item *keyword = nullptr, *unpacking = nullptr;
  for (const Item& item : items) {
    bool is_bare = item.role == Role::bare_generator;
    if (is_bare && (items.size() > 1 || item.has_comma)) fail_bare_generator(state, item);
    if (!is_keyword_item(item)) check_positional(state, item, keyword, unpacking);
    if (!keyword && is_keyword_item(item)) keyword = &item;
    if (!unpacking && item.role == Role::double_star) unpacking = &item;
  }
}

void check_repeated(State& state, std::span<const Item> keywords) {
  if (keywords.size() < 2) return;
  std::unordered_map<std::string_view, Span> names;
  for (const Item& item : keywords) {
    if (item.role != Role::keyword) continue;
    auto [first, is_new] = names.try_emplace(state.text(item.name), item.outer);
    if (is_new) continue;
    auto message = fmt::format("keyword argument repeated: {}", state.text(item.name));
    state.fail(with_note(make_error(item.outer, std::move(message)), first->second, "first here"));
  }
}

Keyword make_keyword(State& state, const Item& item) {
  bool is_named = item.role == Role::keyword;
  return {is_named ? state.text(item.name) : std::string_view(), item.outer, item.expr};
}

// `a:b:c`, from items in order with their colons.
void fill_slice(Slice& node, std::span<const Item> items) {
  Expr** parts[] = {&node.lower, &node.upper, &node.step};
  size_t part = 0;
  for (const Item& item : items) {
    if (item.role == Role::colon) {
      ++part;
    } else {
      *parts[part] = item.expr;
      adopt(node, item.expr);
    }
  }
}

}  // namespace

void build_argument(State& state, Frame frame) {
  auto items = state.since(frame.base);
  if (items.size() < 2) return;
  if (items[1].role == Role::comprehension) return build_generator(state, frame, items);
  build_keyword(state, frame, items[0], items[1]);
}

CallArguments take_arguments(State& state, std::span<Item> items, Span parentheses) {
  check_order(state, items);
  if (items.size() == 1 && items[0].role == Role::bare_generator) {
    items[0].expr->span = parentheses;
  }
  auto first_keyword = std::stable_partition(
      items.begin(), items.end(), [](const Item& item) { return !is_keyword_item(item); });
  auto args = std::span(items.begin(), first_keyword);
  auto keywords = std::span(first_keyword, items.end());
  check_repeated(state, keywords);
  return {collect_exprs(state, args), collect<Keyword>(state, keywords, [&](const Item& item) {
            return make_keyword(state, item);
          })};
}

void build_call(State& state, Frame frame) {
  auto* node = state.arena.make<Call>();
  const Item func = state.items[frame.base - 1];
  auto arguments = take_arguments(state, state.since(frame.base), frame.span);
  node->func = func.expr;
  node->args = arguments.args;
  node->keywords = arguments.keywords;
  adopt(*node, node->func);
  adopt(*node, node->args);
  for (const Keyword& keyword : node->keywords) adopt(*node, keyword.value);
  state.replace(frame.base - 1, node, join(func.outer, frame.span));
}

void build_slice(State& state, Frame frame) {
  auto items = state.since(frame.base);
  if (items.size() == 1 && items[0].role == Role::value) return;
  auto* node = state.arena.make<Slice>();
  fill_slice(*node, items);
  state.replace(frame.base, node, frame.span);
}

void build_slices(State& state, Frame frame) {
  Item& first = state.items[frame.base];
  if (first.expr->kind == ExprKind::Starred) first.has_comma = true;  // x[*a] is x[*a,]
  build_tuple(state, frame);
}

void build_subscript(State& state, Frame frame) {
  auto* node = state.arena.make<Subscript>();
  const Item value = state.items[frame.base - 1];
  node->value = value.expr;
  node->slice = state.items[frame.base].expr;
  adopt(*node, node->value);
  adopt(*node, node->slice);
  state.replace(frame.base - 1, node, join(value.outer, frame.span));
}

}  // namespace gpy::syntax
