#include "grammar/builders/expressions.h"

#include <fmt/format.h>

#include "grammar/target.h"

namespace gpy::syntax {
namespace {

ConstantKind constant_kind(std::string_view word) {
  if (word == "None") return ConstantKind::None;
  if (word == "True") return ConstantKind::True;
  if (word == "False") return ConstantKind::False;
  return ConstantKind::Ellipsis;
}

void push_leaf(State& state, Expr* expr, Span span) {
  expr->span = span;
  state.push_expr(expr, span);
}

}  // namespace

void build_name(State& state, Span span) {
  auto* node = state.arena.make<Name>();
  node->id = state.text(span);
  push_leaf(state, node, span);
}

void build_number(State& state, Span span) {
  auto* node = state.arena.make<Constant>();
  try {
    read_number(state.text(span), state.arena, *node);
  } catch (const LiteralError& error) {
    state.fail(error);
  }
  push_leaf(state, node, span);
}

void build_constant(State& state, Span span) {
  auto* node = state.arena.make<Constant>();
  node->constant_kind = constant_kind(state.text(span));
  push_leaf(state, node, span);
}

void build_attribute(State& state, Span span) {
  auto* node = state.arena.make<Attribute>();
  const Item value = state.items.back();
  node->value = value.expr;
  node->attr = state.text(span);
  node->attr_span = span;
  adopt(*node, value.expr);
  state.replace(state.items.size() - 1, node, join(value.outer, span));
}

void build_conditional(State& state, Frame frame) {
  auto* node = state.arena.make<IfExp>();
  auto items = state.since(frame.base - 1);
  node->body = items[0].expr;
  node->test = items[1].expr;
  node->orelse = items[2].expr;
  for (const Item& item : items) adopt(*node, item.expr);
  state.replace(frame.base - 1, node, join(items[0].outer, items[2].outer));
}

void build_named(State& state, Frame frame) {
  auto* node = state.arena.make<NamedExpr>();
  const Item target = state.items[frame.base - 1];
  const Item value = state.items[frame.base];
  bool is_plain =
      target.expr->kind == ExprKind::Name && target.outer.begin == target.expr->span.begin;
  if (!is_plain) {
    state.fail(target.expr->span,
               fmt::format("cannot use assignment expressions with {}", describe(*target.expr)));
  }
  make_store_target(state, *target.expr);
  node->target = target.expr;
  node->value = value.expr;
  adopt(*node, target.expr);
  adopt(*node, value.expr);
  state.replace(frame.base - 1, node, join(target.outer, value.outer));
}

void build_starred(State& state, Frame frame) {
  auto* node = state.arena.make<Starred>();
  node->value = state.items[frame.base].expr;
  adopt(*node, node->value);
  state.replace(frame.base, node, frame.span);
}

void build_double_starred(State& state, Frame frame) {
  Item& item = state.items[frame.base];
  item.role = Role::double_star;
  item.name = item.outer;  // the extent of the value alone
  item.outer = frame.span;
}

void mark_yield(State& state, Span span) {
  Scope& scope = state.scopes.back();
  if (scope.kind != ScopeKind::function && scope.kind != ScopeKind::lambda) {
    throw Failure{make_error(span, "'yield' outside function")};
  }
  scope.has_yield = true;
  scope.last_yield = span.begin;
}

void build_yield(State& state, Frame frame) {
  auto items = state.since(frame.base);
  Expr* value = items.empty() ? nullptr : items[0].expr;
  if (!items.empty() && items[0].role == Role::from) {
    auto* node = state.arena.make<YieldFrom>();
    node->value = value;
    adopt(*node, value);
    return state.replace(frame.base, node, frame.span);
  }
  if (value) refuse_star(state, items[0]);
  auto* node = state.arena.make<Yield>();
  node->value = value;
  adopt(*node, value);
  state.replace(frame.base, node, frame.span);
}

void build_tuple(State& state, Frame frame) {
  auto items = state.since(frame.base);
  if (items.size() == 1 && !items[0].has_comma) return;
  auto* node = state.arena.make<Tuple>();
  node->elts = collect_exprs(state, items);
  adopt(*node, node->elts);
  state.replace(frame.base, node, frame.span);
}

void refuse_star(State& state, const Item& item) {
  if (item.expr->kind == ExprKind::Starred) {
    state.fail(item.outer, "can't use starred expression here");
  }
}

}  // namespace gpy::syntax
