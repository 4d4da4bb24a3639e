#include <algorithm>

#include "grammar/builders/statements.h"

namespace gpy::syntax {
namespace {

// Takes each name, and the `as` name after it if there is one.
std::span<const Alias> take_aliases(State& state, std::span<const Item> items) {
  auto* out = state.arena.make_array<Alias>(items.size());
  size_t count = 0;
  for (const Item& item : items) {
    if (item.role == Role::as_name) {
      Alias& alias = out[count - 1];
      alias.asname = state.text(item.outer);
      alias.span.end = item.outer.end;
    } else {
      out[count++] = {state.text(item.outer), {}, item.outer};
    }
  }
  return {out, count};
}

}  // namespace

void build_import(State& state, Frame frame) {
  auto* node = state.arena.make<Import>();
  node->names = take_aliases(state, state.since(frame.base));
  state.push_statement(frame, node);
}

void mark_import_dots(State& state, Span span) { state.push(Role::import_dots, span); }

void mark_import_word(State& state, Span span) { state.push(Role::import_members, span); }

void build_import_from(State& state, Frame frame) {
  auto* node = state.arena.make<ImportFrom>();
  auto items = state.since(frame.base);
  size_t at = 0;
  for (; items[at].role == Role::import_dots; ++at) {
    node->level += static_cast<int>(items[at].outer.end - items[at].outer.begin);
  }
  if (items[at].role == Role::name) node->module = state.text(items[at++].outer);
  node->names = take_aliases(state, items.subspan(at + 1));
  if (node->names[0].name == "*" && state.scopes.back().kind != ScopeKind::module) {
    state.fail(node->names[0].span, "import * only allowed at module level");
  }
  state.push_statement(frame, node);
}

}  // namespace gpy::syntax
