#include "grammar/builders/expressions.h"
#include "grammar/builders/statements.h"
#include "grammar/target.h"

namespace gpy::syntax {
namespace {

StmtList block_of(std::span<const Item> items, Role role) {
  const Item* item = find_item(items, role);
  return item ? *item->block : StmtList();
}

StmtList one_statement(State& state, Stmt* stmt) {
  return state.arena.copy(std::span<Stmt* const>(&stmt, 1));
}

// Puts each `elif` into the else-block of the one before.
StmtList chain_elifs(State& state, std::span<const Item> items, StmtList orelse, uint32_t end) {
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    if (item->role != Role::elif) continue;
    auto* elif = static_cast<If*>(item->stmt);
    elif->orelse = orelse;
    elif->span.end = end;
    orelse = one_statement(state, elif);
  }
  return orelse;
}

If* make_if(State& state, std::span<const Item> items) {
  auto* node = state.arena.make<If>();
  node->test = items[0].expr;
  node->body = block_of(items, Role::body);
  return node;
}

WithItem make_with_item(State& state, const Item& value, const Item* target) {
  if (!target) return {value.expr, nullptr};
  make_store_target(state, *target->expr);
  if (target->expr->kind == ExprKind::Starred) {
    state.fail(target->outer, "starred assignment target must be in a list or tuple");
  }
  return {value.expr, target->expr};
}

// `with (a, b):` is two items, not a tuple.
bool is_wrapped_list(std::span<const Item> items) {
  if (items.size() != 1 || items[0].expr->kind != ExprKind::Tuple) return false;
  const Item& item = items[0];
  const auto& tuple = as<Tuple>(*item.expr);
  if (tuple.elts.empty() || item.outer.begin != tuple.span.begin) return false;
  for (const Expr* element : tuple.elts) {
    if (element->kind == ExprKind::Starred) return false;
  }
  return true;
}

std::span<const WithItem> take_with_items(State& state, std::span<const Item> items) {
  if (is_wrapped_list(items)) {
    ExprList elements = as<Tuple>(*items[0].expr).elts;
    auto* out = state.arena.make_array<WithItem>(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) out[i] = {elements[i], nullptr};
    return {out, elements.size()};
  }
  auto* out = state.arena.make_array<WithItem>(items.size());
  size_t count = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    bool has_target = i + 1 < items.size() && items[i + 1].role == Role::as_target;
    out[count++] = make_with_item(state, items[i], has_target ? &items[i + 1] : nullptr);
    i += has_target;
  }
  return {out, count};
}

void check_bare_except_last(State& state, std::span<const ExceptHandler> handlers) {
  for (size_t i = 0; i + 1 < handlers.size(); ++i) {
    if (!handlers[i].type) state.fail(handlers[i].span, "default 'except:' must be last");
  }
}

}  // namespace

StmtList take_statements(State& state, size_t base) {
  return collect<Stmt*>(state, state.since(base), [](const Item& item) { return item.stmt; });
}

void build_block(State& state, Frame frame) {
  auto* block = state.arena.make<StmtList>(take_statements(state, frame.base));
  state.drop_to(frame.base);
  state.push(Role::body, frame.span);
  state.items.back().block = block;
}

void build_elif(State& state, Frame frame) {
  If* node = make_if(state, state.since(frame.base));
  state.push_statement(frame, node);
  state.items.back().role = Role::elif;
}

void build_if(State& state, Frame frame) {
  auto items = state.since(frame.base);
  if (items.size() > state.max_height()) state.fail(items[0].outer, "too many 'elif' branches");
  If* node = make_if(state, items);
  node->orelse = chain_elifs(state, items, block_of(items, Role::else_body), frame.span.end);
  state.push_statement(frame, node);
}

void build_while(State& state, Frame frame) {
  auto* node = state.arena.make<While>();
  auto items = state.since(frame.base);
  node->test = items[0].expr;
  node->body = block_of(items, Role::body);
  node->orelse = block_of(items, Role::else_body);
  state.push_statement(frame, node);
}

void build_for(State& state, Frame frame) {
  auto* node = state.arena.make<For>();
  auto items = state.since(frame.base);
  node->target = items[0].expr;
  node->iter = items[1].expr;
  make_store_target(state, *node->target);
  if (node->target->kind == ExprKind::Starred) {
    state.fail(items[0].outer, "starred assignment target must be in a list or tuple");
  }
  refuse_star(state, items[1]);
  node->body = block_of(items, Role::body);
  node->orelse = block_of(items, Role::else_body);
  state.push_statement(frame, node);
}

void build_handler(State& state, Frame frame) {
  ExceptHandler handler;
  auto items = state.since(frame.base);
  handler.span = frame.span;
  if (items[0].role == Role::value) handler.type = items[0].expr;
  if (const Item* name = find_item(items, Role::as_name)) handler.name = state.text(name->outer);
  handler.body = block_of(items, Role::body);
  state.drop_to(frame.base);
  state.push(Role::handler, frame.span);
  state.items.back().handler = state.arena.make(handler);
}

void build_try(State& state, Frame frame) {
  auto* node = state.arena.make<Try>();
  auto items = state.since(frame.base);
  node->body = block_of(items, Role::body);
  size_t count = 1;
  while (count < items.size() && items[count].role == Role::handler) ++count;
  node->handlers = collect<ExceptHandler>(state, items.subspan(1, count - 1),
                                          [](const Item& item) { return *item.handler; });
  check_bare_except_last(state, node->handlers);
  node->orelse = block_of(items, Role::else_body);
  node->finalbody = block_of(items, Role::finally_body);
  state.push_statement(frame, node);
}

void build_with(State& state, Frame frame) {
  auto* node = state.arena.make<With>();
  auto items = state.since(frame.base);
  node->items = take_with_items(state, items.first(items.size() - 1));
  if (node->items.size() > state.max_height()) {
    state.fail(items[0].outer, "too many statically nested blocks");
  }
  node->body = block_of(items, Role::body);
  state.push_statement(frame, node);
}

}  // namespace gpy::syntax
