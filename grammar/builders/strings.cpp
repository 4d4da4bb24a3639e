#include <algorithm>

#include "grammar/builders/expressions.h"

namespace gpy::syntax {
namespace {

void push_piece(State& state, Role role, std::string_view text, Span span) {
  state.push(role, span);
  state.items.back().string = state.arena.make(text);
}

std::string_view decode(State& state, std::string_view raw, const StringStart& start) {
  if (start.is_raw) return raw;
  try {
    return decode_escapes(raw, start.is_bytes, state.arena);
  } catch (const LiteralError& error) {
    state.fail(error);
  }
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0; });
}

Constant* make_text(State& state, ConstantKind kind, std::span<const Item> pieces) {
  auto* node = state.arena.make<Constant>();
  node->constant_kind = kind;
  node->span = join(pieces.front().outer, pieces.back().outer);
  if (pieces.size() == 1) {
    node->text = *pieces[0].string;
    return node;
  }
  std::string whole;
  for (const Item& piece : pieces) whole += *piece.string;
  node->text = state.arena.copy(std::string_view(whole));
  return node;
}

// Joins adjacent text pieces into one constant and drops empty ones.
ExprList join_pieces(State& state, std::span<Item> items) {
  auto end = std::remove_if(items.begin(), items.end(), [](const Item& item) {
    return item.role == Role::formatted || (item.role == Role::text_piece && item.string->empty());
  });
  std::vector<Expr*> values;
  for (auto item = items.begin(); item != end;) {
    if (item->role == Role::value) {
      values.push_back(item++->expr);
      continue;
    }
    auto after = std::find_if(item, end, [](const Item& i) { return i.role == Role::value; });
    values.push_back(make_text(state, ConstantKind::String, {item, after}));
    item = after;
  }
  return state.arena.copy(std::span<Expr* const>(values));
}

JoinedStr* make_joined(State& state, std::span<Item> items, Span span) {
  auto* node = state.arena.make<JoinedStr>();
  node->span = span;
  node->values = join_pieces(state, items);
  adopt(*node, node->values);
  return node;
}

const Item* find_role(std::span<const Item> items, Role role) {
  auto found = std::find_if(items.begin(), items.end(),
                            [role](const Item& item) { return item.role == role; });
  return found == items.end() ? nullptr : &*found;
}

void check_field_value(State& state, const Item& value) {
  refuse_star(state, value);
  bool is_bare = value.outer.begin == value.expr->span.begin;
  if (value.expr->kind == ExprKind::Lambda && is_bare) {
    state.fail(value.outer, "f-string: lambda expressions are not allowed without parentheses");
  }
}

void check_bytes_alone(State& state, std::span<const Item> items) {
  size_t count = std::count_if(items.begin(), items.end(),
                               [](const Item& item) { return item.role == Role::bytes_piece; });
  if (count == 0 || count == items.size()) return;
  state.fail(items.front().outer, "cannot mix bytes and nonbytes literals");
}

}  // namespace

void build_plain_string(State& state, Span span) {
  auto start = string_start(state.at(span.begin), state.end());
  auto raw = state.text({span.begin + start.length, span.end - start.quote_length()});
  if (start.is_bytes && !is_ascii(raw)) {
    state.fail(span, "bytes can only contain ASCII literal characters");
  }
  push_piece(state, start.is_bytes ? Role::bytes_piece : Role::text_piece,
             decode(state, raw, start), span);
}

void build_literal_text(State& state, Span span) {
  push_piece(state, Role::text_piece,
             decode(state, state.text(span), state.layout.open_string.start), span);
}

void build_doubled_brace(State& state, Span span) {
  push_piece(state, Role::text_piece, state.text({span.begin, span.begin + 1}), span);
}

void build_debug_text(State& state, Span span) { state.push(Role::debug_text, span); }

void build_conversion(State& state, Span span) { state.push(Role::conversion, span); }

void build_format_spec(State& state, Frame frame) {
  Span span{frame.span.begin + 1, frame.span.end};
  JoinedStr* spec = make_joined(state, state.since(frame.base), span);
  state.drop_to(frame.base);
  state.push_expr(spec, span, Role::format_spec);
}

void build_field(State& state, Frame frame) {
  auto* node = state.arena.make<FormattedValue>();
  auto items = state.since(frame.base);
  const Item* debug = find_role(items, Role::debug_text);
  const Item* conversion = find_role(items, Role::conversion);
  const Item* spec = find_role(items, Role::format_spec);
  check_field_value(state, items[0]);
  node->value = items[0].expr;
  adopt(*node, node->value);
  if (conversion) node->conversion = *state.at(conversion->outer.begin);
  if (spec) {
    node->format_spec = static_cast<JoinedStr*>(spec->expr);
    adopt(*node, spec->expr);
  }
  if (debug && !conversion && !spec) node->conversion = 'r';
  Span debug_span{frame.span.begin + 1, debug ? debug->outer.end : 0};
  bool has_debug = debug != nullptr;
  state.drop_to(frame.base);
  if (has_debug) push_piece(state, Role::text_piece, state.text(debug_span), debug_span);
  node->span = frame.span;
  state.push_expr(node, frame.span);
}

void build_strings(State& state, Frame frame) {
  auto items = state.since(frame.base);
  check_bytes_alone(state, items);
  if (find_role(items, Role::formatted)) {
    return state.replace(frame.base, make_joined(state, items, frame.span), frame.span);
  }
  bool is_bytes = items[0].role == Role::bytes_piece;
  Constant* node = make_text(state, is_bytes ? ConstantKind::Bytes : ConstantKind::String, items);
  state.replace(frame.base, node, frame.span);
}

}  // namespace gpy::syntax
