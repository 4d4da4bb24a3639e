#include "grammar/builders/statements.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "grammar/builders/expressions.h"
#include "grammar/target.h"

namespace gpy::syntax {
namespace {

constexpr const char* kMaybeEquals = " here. Maybe you meant '==' instead of '='?";

void make_assignment_target(State& state, const Item& item, bool is_only) {
  Expr& expr = *item.expr;
  bool is_open_tuple = expr.kind == ExprKind::Tuple && state.text(item.outer)[0] != '(';
  if (is_only && is_open_tuple && !as<Tuple>(expr).elts.empty()) {
    Expr& last = *as<Tuple>(expr).elts.back();
    if (may_be_compared(last)) make_store_target(state, last, kMaybeEquals);
  }
  if (is_only && may_be_compared(expr)) return make_store_target(state, expr, kMaybeEquals);
  make_store_target(state, expr);
}

void check_not_yield(State& state, const Item& item) {
  bool is_yield = item.expr->kind == ExprKind::Yield || item.expr->kind == ExprKind::YieldFrom;
  bool is_bare = item.outer.begin == item.expr->span.begin;
  if (is_yield && is_bare) state.fail(item.outer, "assignment to yield expression not possible");
}

void check_lone_star_target(State& state, const Item& item) {
  if (item.expr->kind == ExprKind::Starred) {
    state.fail(item.outer, "starred assignment target must be in a list or tuple");
  }
}

BinaryOperator augmented_operator(std::string_view sign) {
  using enum BinaryOperator;
  constexpr auto kSigns = std::to_array<std::string_view>(
      {"+=", "-=", "*=", "@=", "/=", "%=", "**=", "<<=", ">>=", "|=", "^=", "&=", "//="});
  auto found = std::find(kSigns.begin(), kSigns.end(), sign);
  return static_cast<BinaryOperator>(found - kSigns.begin());
}

bool is_simple_target(const Expr& expr) {
  return expr.kind == ExprKind::Name || expr.kind == ExprKind::Attribute ||
         expr.kind == ExprKind::Subscript;
}

void check_annotated(State& state, const Item& target) {
  if (is_simple_target(*target.expr)) return;
  bool is_several = target.expr->kind == ExprKind::Tuple || target.expr->kind == ExprKind::List;
  state.fail(target.expr->span, is_several
                                    ? fmt::format("only single target (not {}) can be annotated",
                                                  describe(*target.expr))
                                    : "illegal target for annotation");
}

std::span<const std::string_view> take_names(State& state, std::span<const Item> items) {
  return collect<std::string_view>(state, items,
                                   [&](const Item& item) { return state.text(item.outer); });
}

template <class Node> void build_plain(State& state, Frame frame) {
  state.push_statement(frame, state.arena.make<Node>());
}

template <class Node> void build_names(State& state, Frame frame) {
  auto* node = state.arena.make<Node>();
  node->names = take_names(state, state.since(frame.base));
  state.push_statement(frame, node);
}

void check_in_loop(State& state, Frame frame, const char* message) {
  if (state.scopes.back().loops > 0) return;
  auto error = make_error(frame.span, message);
  bool is_in_function = state.scopes.back().kind == ScopeKind::function;
  if (is_in_function) error.hint = "leave a function with 'return'";
  state.fail(std::move(error));
}

}  // namespace

const Item* find_item(std::span<const Item> items, Role role) {
  auto found = std::find_if(items.begin(), items.end(),
                            [role](const Item& item) { return item.role == role; });
  return found == items.end() ? nullptr : &*found;
}

// The first target stands before the frame, which begins at `=`.
void build_assignment(State& state, Frame frame) {
  auto* node = state.arena.make<Assign>();
  auto items = state.since(frame.base - 1);
  auto targets = items.first(items.size() - 1);
  for (const Item& target : targets) {
    check_not_yield(state, target);
    make_assignment_target(state, target, targets.size() == 1);
    check_lone_star_target(state, target);
  }
  refuse_star(state, items.back());
  node->targets = collect_exprs(state, targets);
  node->value = items.back().expr;
  state.push_statement({frame.base - 1, join(items[0].outer, frame.span)}, node);
}

void mark_augmented(State& state, Span span) { state.push(Role::name, span); }

void build_augmented(State& state, Frame frame) {
  auto* node = state.arena.make<AugAssign>();
  auto items = state.since(frame.base - 1);
  node->target = items[0].expr;
  if (!is_simple_target(*node->target)) {
    state.fail(node->target->span,
               fmt::format("'{}' is an illegal expression for augmented assignment",
                           describe(*node->target)));
  }
  make_store_target(state, *node->target);
  node->op = augmented_operator(state.text(items[1].outer));
  node->op_span = items[1].outer;
  node->value = items[2].expr;
  refuse_star(state, items[2]);
  state.push_statement({frame.base - 1, join(items[0].outer, frame.span)}, node);
}

void build_annotated(State& state, Frame frame) {
  auto* node = state.arena.make<AnnAssign>();
  auto items = state.since(frame.base - 1);
  check_annotated(state, items[0]);
  make_store_target(state, *items[0].expr);
  node->target = items[0].expr;
  node->annotation = items[1].expr;
  node->value = items.size() > 2 ? items[2].expr : nullptr;
  if (node->value) refuse_star(state, items[2]);
  node->is_simple =
      node->target->kind == ExprKind::Name && items[0].outer.begin == node->target->span.begin;
  state.push_statement({frame.base - 1, join(items[0].outer, frame.span)}, node);
}

void build_expression_statement(State& state, Frame frame) {
  const Item& item = state.items[frame.base];
  if (item.role == Role::statement) return;
  refuse_star(state, item);
  auto* node = state.arena.make<ExprStmt>();
  node->value = item.expr;
  state.push_statement(frame, node);
}

void build_return(State& state, Frame frame) {
  const ScopeKind scope = state.scopes.back().kind;
  if (scope != ScopeKind::function && scope != ScopeKind::kernel) {
    state.fail(with_hint(make_error(frame.span, "'return' outside function"),
                         state.scopes.back().kind == ScopeKind::module
                             ? "sys.exit() ends a script"
                             : "a class's body has no value"));
  }
  auto* node = state.arena.make<Return>();
  auto items = state.since(frame.base);
  if (!items.empty()) {
    refuse_star(state, items[0]);
    node->value = items[0].expr;
  }
  state.push_statement(frame, node);
}

void build_delete(State& state, Frame frame) {
  auto* node = state.arena.make<Delete>();
  for (const Item& item : state.since(frame.base)) make_delete_target(state, *item.expr);
  node->targets = collect_exprs(state, state.since(frame.base));
  state.push_statement(frame, node);
}

void build_pass(State& state, Frame frame) { build_plain<Pass>(state, frame); }

void build_break(State& state, Frame frame) {
  check_in_loop(state, frame, "'break' outside loop");
  build_plain<Break>(state, frame);
}

void build_continue(State& state, Frame frame) {
  check_in_loop(state, frame, "'continue' not properly in loop");
  build_plain<Continue>(state, frame);
}

void build_global(State& state, Frame frame) { build_names<Global>(state, frame); }

void build_nonlocal(State& state, Frame frame) {
  if (state.scopes.back().kind == ScopeKind::module) {
    state.fail(frame.span, "nonlocal declaration not allowed at module level");
  }
  build_names<Nonlocal>(state, frame);
}

void build_assert(State& state, Frame frame) {
  auto* node = state.arena.make<Assert>();
  auto items = state.since(frame.base);
  node->test = items[0].expr;
  node->message = items.size() > 1 ? items[1].expr : nullptr;
  state.push_statement(frame, node);
}

void build_raise(State& state, Frame frame) {
  auto* node = state.arena.make<Raise>();
  auto items = state.since(frame.base);
  node->exc = !items.empty() ? items[0].expr : nullptr;
  node->cause = items.size() > 1 ? items[1].expr : nullptr;
  state.push_statement(frame, node);
}

}  // namespace gpy::syntax
