#pragma once

// The state of one parse: layout, nesting, and one stack of half-built things. Rules change
// layout and nesting (and undo it when they end); builders take items off the stack and put one on.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ast.h"
#include "grammar/failure.h"
#include "grammar/literals.h"
#include "grammar/parse.h"

namespace gpy::syntax {

// The role of an item on the stack in the construct being built.
enum class Role : uint8_t {
  value,
  name,            // of something declared
  key,             // of a dict; its value follows
  double_star,     // `**value`
  keyword,         // `name=value` in a call
  bare_generator,  // `x for x in y` in a call, without parentheses of its own
  comprehension,
  colon,       // of a slice
  text_piece,  // of a string, decoded, in `string`
  bytes_piece,
  formatted,   // a piece with the prefix f has been
  debug_text,  // the text of `value =` in a formatted string
  conversion,  // `!r`
  format_spec,
  star_mark,  // of a parameter
  double_star_mark,
  slash_mark,
  annotation,
  default_value,
  as_target,  // `as target`
  as_name,    // `as name`
  from,       // `from value`
  import_dots,
  import_members,  // the members of `from m import` follow
  kernel_kind,
  kernel_token,
  kernel_inputs,  // the tokens of the parameters follow
  kernel_outputs,
  body,
  else_body,
  finally_body,
  elif,
  handler,
  statement,
};

// Something built, or read and not yet built into anything.
struct Item {
  union {
    Expr* expr = nullptr;
    Stmt* stmt;
    const StmtList* block;
    const Comprehension* comprehension;
    const ExceptHandler* handler;
    const std::string_view* string;
  };
  Span outer;  // with the parentheses around it
  Span name;
  Role role = Role::value;
  bool has_comma = false;  // a comma follows
};

// The extent of a construct: its bytes, and its items from `base` on.
struct Frame {
  size_t base = 0;
  Span span;
};

struct Indent {
  int column = 0;       // tabs to multiples of 8
  int alt_column = 0;   // tabs as 1: both must compare alike, else tabs and spaces are mixed
  uint32_t offset = 0;  // the first token of the first line of this depth
};

// The formatted string that the text is in; start.length 0: none.
struct OpenString {
  uint32_t offset = 0;
  StringStart start;
};

struct LineStructure {
  std::vector<Indent> indents{Indent{}};
  std::vector<OpenBracket> brackets;
  OpenString open_string;
  bool is_single_line = false;  // the string must end on its line
};

// The next line that is not empty, as found from `from`.
struct LineProbe {
  const char* from = nullptr;
  const char* to = nullptr;
  Indent indent;
};

// The compound statement whose block comes next, in CPython's words ("'if' statement").
struct Header {
  const char* what = "";
  uint32_t offset = 0;
};

enum class ScopeKind : uint8_t { module, class_body, function, lambda, kernel };

struct Scope {
  ScopeKind kind = ScopeKind::module;
  bool has_yield = false;
  uint32_t last_yield = 0;
  int loops = 0;
};

class State;

// The syntax expected where a rule failed, and the way to report its absence.
struct Expected {
  const char* message = nullptr;  // null: "invalid syntax", or what the place suggests
  const char* hint = "";          // if the place suggests nothing better
  bool opens_block = false;       // at the end of the input, more lines would help
  bool is_plain = false;          // CPython's guesses from the place do not apply
  bool only_at_line_end = false;  // elsewhere in the line it is "invalid syntax"
  void (*explain)(State&, uint32_t offset) = nullptr;  // finds a better message; may throw
};

// An operator whose right operand is not complete yet.
struct PendingOperator {
  enum class Kind : uint8_t { barrier, unary, binary, compare, boolean };
  Kind kind = Kind::barrier;
  uint8_t code = 0;  // a value of the enum that `kind` names
  uint8_t precedence = 0;
  Span span;
};

class State {
 public:
  State(const SourceFile& source, Arena& arena, const ParseOptions& options);

  Arena& arena;
  LineStructure layout;
  LineProbe probe;
  Header header;
  std::vector<Item> items;
  std::vector<PendingOperator> operators;
  std::vector<Scope> scopes{Scope{}};
  Scope closed_scope;                // the scope left last
  PendingOperator matched_operator;  // set by the operator rule that matched last
  uint32_t token_end = 0;
  Span kernel_text;  // the text between the braces that matched last

  // ---- text ----
  [[nodiscard]] uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - begin_); }
  [[nodiscard]] const char* at(uint32_t offset) const { return begin_ + offset; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] const SourceFile& source() const { return source_; }
  [[nodiscard]] std::string_view text(Span span) const {
    return {begin_ + span.begin, span.end - span.begin};
  }

  // ---- items ----
  [[nodiscard]] std::span<Item> since(size_t base) { return std::span(items).subspan(base); }
  void drop_to(size_t base) { items.resize(base); }
  void push(Role role, Span outer, Span name = {}) {
    Item& item = items.emplace_back();
    item.outer = outer;
    item.name = name;
    item.role = role;
  }
  void push_expr(Expr* expr, Span outer, Role role = Role::value) {
    if (expr->height > max_height_) fail_too_deep(expr->span.begin);
    push(role, outer);
    items.back().expr = expr;
  }
  // Replaces the items from `base` on by one expression that spans what it was made from.
  void replace(size_t base, Expr* expr, Span span) {
    expr->span = span;
    items.resize(base);
    push_expr(expr, span);
  }
  void push_statement(Frame frame, Stmt* stmt) {
    stmt->span = {frame.span.begin, frame.span.end};
    items.resize(frame.base);
    push(Role::statement, frame.span);
    items.back().stmt = stmt;
  }

  // ---- failing ----
  [[noreturn]] void fail(Span span, std::string message, const char* kind = "SyntaxError");
  [[noreturn]] void fail(SyntaxError error);
  [[noreturn]] void fail(const LiteralError& error);
  // Fails with "invalid syntax", or with something better that is known about the place.
  [[noreturn]] void fail_at(uint32_t offset, const Expected& expected = {});
  [[noreturn]] void fail_too_deep(uint32_t offset);
  [[noreturn]] void fail_block_too_deep(uint32_t offset);
  [[nodiscard]] SyntaxError said_of_field(SyntaxError error) const;
  [[noreturn]] void fail_open(SyntaxError error);  // more lines would help

  [[nodiscard]] bool is_stack_used_up() const {
    return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < stack_limit_;
  }
  [[nodiscard]] size_t max_height() const { return max_height_; }

 private:
  struct Previous {
    const Expr* expr = nullptr;
    Span outer;
  };

  void check_string_ends(uint32_t offset);
  void check_brackets(uint32_t offset);
  [[nodiscard]] bool is_continued(uint32_t offset) const;
  [[nodiscard]] Previous previous_value() const;
  [[nodiscard]] bool lacks_parentheses(std::string_view word) const;
  [[nodiscard]] bool is_dict_key() const;
  // explain.cpp
  [[nodiscard]] SyntaxError explain(uint32_t offset) const;
  [[nodiscard]] SyntaxError explain_assignment(const Previous& left, Span sign) const;
  [[nodiscard]] SyntaxError explain_neighbours(const Previous& left, Span right) const;
  [[nodiscard]] Failure advise(SyntaxError error, uint32_t offset, const Expected& expected) const;

  const SourceFile& source_;
  const char* begin_;
  const char* end_;
  uintptr_t stack_limit_;
  uint16_t max_height_;
};

// Copies pointers or values out of the items into the arena.
template <class T, class Range, class Get>
std::span<const T> collect(State& state, const Range& range, Get get) {
  size_t count = std::size(range);
  if (count == 0) return {};
  T* out = state.arena.make_array<T>(count);
  size_t i = 0;
  for (const Item& item : range) out[i++] = get(item);
  return {out, count};
}

inline ExprList collect_exprs(State& state, std::span<const Item> items) {
  return collect<Expr*>(state, items, [](const Item& item) { return item.expr; });
}

// A node is one level higher than its highest child.
inline void adopt(Expr& node, const Expr* child) {
  if (child && child->height >= node.height) {
    node.height = child->height == UINT16_MAX ? UINT16_MAX : child->height + 1;
  }
}
inline void adopt(Expr& node, ExprList children) {
  for (const Expr* child : children) adopt(node, child);
}

inline Span join(Span first, Span last) { return {first.begin, last.end}; }

}  // namespace gpy::syntax
