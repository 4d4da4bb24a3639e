#include <fmt/format.h>

#include "grammar/builders/expressions.h"
#include "grammar/target.h"

namespace gpy::syntax {
namespace {

// The elements of a display and the comprehension clauses after them.
struct Elements {
  std::span<Item> values;
  std::span<Item> clauses;
};

Elements split(std::span<Item> items) {
  size_t count = 0;
  while (count < items.size() && items[count].role != Role::comprehension) ++count;
  return {items.first(count), items.subspan(count)};
}

// A comprehension is a function of its own, except for its first iterable.
void check_no_yield(State& state, Frame frame, const Elements& elements, const char* what) {
  const Scope& scope = state.scopes.back();
  const Comprehension& first = *elements.clauses[0].comprehension;
  bool is_inside = scope.has_yield && scope.last_yield >= frame.span.begin;
  bool is_first_iter =
      scope.last_yield >= first.iter->span.begin && scope.last_yield < first.iter->span.end;
  if (is_inside && !is_first_iter) {
    state.fail({scope.last_yield, scope.last_yield + 5}, fmt::format("'yield' inside {}", what));
  }
}

void adopt_clause(Expr& node, const Comprehension& clause) {
  adopt(node, clause.target);
  adopt(node, clause.iter);
  adopt(node, clause.ifs);
}

template <class Node>
void build_element_comprehension(State& state, Frame frame, const Elements& elements,
                                 const char* what) {
  check_no_yield(state, frame, elements, what);
  const Item& element = elements.values[0];
  if (element.expr->kind == ExprKind::Starred) {
    state.fail(element.outer, "iterable unpacking cannot be used in comprehension");
  }
  auto* node = state.arena.make<Node>();
  node->elt = element.expr;
  adopt(*node, element.expr);
  for (const Item& clause : elements.clauses) adopt_clause(*node, *clause.comprehension);
  node->generators = take_comprehensions(state, elements.clauses);
  state.replace(frame.base, node, frame.span);
}

template <class Node> void build_sequence(State& state, Frame frame) {
  auto* node = state.arena.make<Node>();
  node->elts = collect_exprs(state, state.since(frame.base));
  adopt(*node, node->elts);
  state.replace(frame.base, node, frame.span);
}

bool is_dict(std::span<const Item> values) {
  return values.empty() || values[0].role == Role::key || values[0].role == Role::double_star;
}

// Fails on `a: b` and `**c` among plain elements, and on plain elements among those.
void check_alike(State& state, std::span<const Item> values) {
  bool is_pairs = is_dict(values);
  for (size_t i = 0; i < values.size(); ++i) {
    bool is_pair = values[i].role == Role::key || values[i].role == Role::double_star;
    bool is_key = values[i].role == Role::key;
    if (is_key && is_pairs && values[i].expr->kind != ExprKind::Starred) {
      ++i;
    } else if (is_pairs && !is_pair) {
      state.fail(values[i].outer, "':' expected after dictionary key");
    } else if (is_key || (is_pair && !is_pairs)) {
      state.fail(values[i].outer, "invalid syntax");
    }
  }
}

void build_dict(State& state, Frame frame, std::span<const Item> values) {
  auto* node = state.arena.make<Dict>();
  auto* out = state.arena.make_array<DictItem>(values.size());
  size_t count = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    DictItem& item = *new (&out[count++]) DictItem;
    if (values[i].role == Role::key) item.key = values[i++].expr;
    item.value = values[i].expr;
    adopt(*node, item.key);
    adopt(*node, item.value);
  }
  node->items = {out, count};
  state.replace(frame.base, node, frame.span);
}

void build_dict_comprehension(State& state, Frame frame, const Elements& elements) {
  check_no_yield(state, frame, elements, "dict comprehension");
  const Item& key = elements.values[0];
  if (key.role == Role::double_star) {
    state.fail(key.outer, "dict unpacking cannot be used in dict comprehension");
  }
  auto* node = state.arena.make<DictComp>();
  node->key = key.expr;
  node->value = elements.values[1].expr;
  adopt(*node, node->key);
  adopt(*node, node->value);
  for (const Item& clause : elements.clauses) adopt_clause(*node, *clause.comprehension);
  node->generators = take_comprehensions(state, elements.clauses);
  state.replace(frame.base, node, frame.span);
}

}  // namespace

void build_comprehension(State& state, Frame frame) {
  auto items = state.since(frame.base);
  Comprehension clause;
  clause.target = items[0].expr;
  clause.iter = items[1].expr;
  clause.ifs = collect_exprs(state, items.subspan(2));
  make_store_target(state, *clause.target);
  if (clause.target->kind == ExprKind::Starred) {
    state.fail(items[0].outer, "starred assignment target must be in a list or tuple");
  }
  state.drop_to(frame.base);
  state.push(Role::comprehension, frame.span);
  state.items.back().comprehension = state.arena.make(clause);
}

ComprehensionList take_comprehensions(State& state, std::span<const Item> items) {
  return collect<Comprehension>(state, items, [](const Item& item) { return *item.comprehension; });
}

void build_group(State& state, Frame frame) {
  auto elements = split(state.since(frame.base));
  if (!elements.clauses.empty()) {
    return build_element_comprehension<GeneratorExp>(state, frame, elements,
                                                     "generator expression");
  }
  if (elements.values.size() != 1 || elements.values[0].has_comma) {
    return build_sequence<Tuple>(state, frame);
  }
  Item& only = elements.values[0];
  if (only.expr->kind == ExprKind::Starred) {
    state.fail(only.outer, "cannot use starred expression here");
  }
  only.outer = frame.span;
}

void build_list(State& state, Frame frame) {
  auto elements = split(state.since(frame.base));
  if (elements.clauses.empty()) return build_sequence<List>(state, frame);
  build_element_comprehension<ListComp>(state, frame, elements, "list comprehension");
}

void build_brace(State& state, Frame frame) {
  auto elements = split(state.since(frame.base));
  check_alike(state, elements.values);
  bool pairs = is_dict(elements.values);
  if (!elements.clauses.empty()) {
    if (pairs) return build_dict_comprehension(state, frame, elements);
    return build_element_comprehension<SetComp>(state, frame, elements, "set comprehension");
  }
  if (pairs) return build_dict(state, frame, elements.values);
  build_sequence<Set>(state, frame);
}

void refuse_dict_value_star(State& state, Span span) {
  state.fail(span, "cannot use a starred expression in a dictionary value");
}

void refuse_double_star(State& state, Span span) {
  state.fail(span, "cannot use double starred expression here");
}

}  // namespace gpy::syntax
