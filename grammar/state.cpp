#include "grammar/state.h"

#include <algorithm>

#include <fmt/format.h>
#include <pthread.h>

#include "grammar/target.h"

namespace gpy::syntax {
namespace {

// What raising an error and unwinding need below the deepest frame that may still be entered
// (one level of nesting takes 1-2 KiB in a release build, ten times that with sanitizers).
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr size_t kReserve = 192 << 10;
constexpr size_t kBytesPerLevel = 4096;
#else
constexpr size_t kReserve = 32 << 10;
constexpr size_t kBytesPerLevel = 1024;
#endif

// Whoever walks a tree recurses once per level; this many are allowed whatever the stack is.
constexpr size_t kLeastHeight = 250;

uintptr_t lowest_stack_address() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(lowest);
}

uintptr_t find_stack_limit(uintptr_t here, size_t allowed) {
  uintptr_t lowest = lowest_stack_address() + kReserve;
  return std::max(lowest, here > allowed ? here - allowed : 0);
}

uint16_t find_max_height(uintptr_t here, uintptr_t limit) {
  size_t levels = here > limit ? (here - limit) / kBytesPerLevel : 0;
  return static_cast<uint16_t>(std::clamp<size_t>(levels, kLeastHeight, UINT16_MAX - 1));
}

constexpr const char* kTooManyParentheses = "too many nested parentheses";
constexpr const char* kTooManyBlocks = "too many levels of indentation";
constexpr const char* kTooDeep = "expression is nested too deeply";

bool is_assignment_sign(std::string_view rest) {
  return rest.starts_with('=') && !rest.starts_with("==");
}

std::string_view word_at(const SourceFile& source, uint32_t offset) {
  return source.text(token_at(source, offset));
}

bool line_ends_with_colon(const SourceFile& source, uint32_t offset) {
  auto line = source.line(source.line_of(offset));
  size_t last = line.find_last_not_of(" \t\f");
  return last != line.npos && line[last] == ':';
}

// A name, then an expression: a statement of another language or of another Python.
std::optional<SyntaxError> find_foreign_statement(const SourceFile& source, Span name,
                                                  uint32_t next) {
  auto word = source.text(name);
  Span whole{name.begin, token_at(source, next).end};
  if (word == "print" || word == "exec") {
    return make_error(
        whole, fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", word));
  }
  if (word == "match" && line_ends_with_colon(source, next)) {
    return make_error(name, "gpy has no 'match' statement; write 'if', 'elif' and 'else'");
  }
  if (word == "type") {
    return make_error(name, "gpy has no 'type' statement; write 'NAME = ...'");
  }
  if (word != "kernel") return std::nullopt;
  auto kind = word_at(source, next);
  bool is_kind = kind == "elementwise" || kind == "reduction" || kind == "raw";
  return make_error(
      token_at(source, next),
      is_kind ? fmt::format("expected 'kernel {} NAME' and then '(', '{{', '->' or ':'", kind)
              : "expected 'elementwise', 'reduction' or 'raw' after 'kernel'");
}

}  // namespace

State::State(const SourceFile& source, Arena& arena, const ParseOptions& options)
    : arena(arena),
      source_(source),
      begin_(source.text().data()),
      end_(begin_ + source.text().size()) {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  stack_limit_ = find_stack_limit(here, options.stack_bytes);
  max_height_ = find_max_height(here, stack_limit_);
}

void State::fail(Span span, std::string message, const char* kind) {
  throw Failure{make_error(span, std::move(message), kind)};
}

void State::fail(const LiteralError& error) {
  uint32_t where = offset(error.at);
  fail({where, std::max(where + 1, token_at(source_, where).end)}, error.message);
}

void State::fail_open(Span span, std::string message) {
  throw Failure{make_error(span, std::move(message)), true};
}

void State::fail_too_deep(uint32_t offset) {
  const char* message = !layout.brackets.empty() ? kTooManyParentheses : kTooDeep;
  fail(token_at(source_, offset), message);
}

void State::fail_block_too_deep(uint32_t offset) {
  fail(token_at(source_, offset), kTooManyBlocks, "IndentationError");
}

void State::fail_at(uint32_t offset, const char* message, bool opens_block) {
  if (layout.open_string.start.length) check_string_ends(offset);
  if (is_continued(offset)) {
    throw Failure{make_error(token_at(source_, offset), "unexpected EOF while parsing"), true};
  }
  bool at_end = begin_ + offset >= end_;
  if (auto bad = find_bad_token(source_, offset, layout.brackets)) {
    throw Failure{*bad, bad->message.starts_with("unterminated triple")};
  }
  if (!layout.brackets.empty()) check_brackets(offset);
  Failure failure{message ? make_error(token_at(source_, offset), message) : explain(offset)};
  failure.is_open = failure.is_only_block = at_end && opens_block;
  throw failure;
}

// In a field of a formatted string, the string's end is nearer than the field's.
void State::check_string_ends(uint32_t offset) {
  const OpenString& string = layout.open_string;
  Span opening{string.offset, string.offset + string.start.length};
  if (begin_ + offset >= end_ || (begin_[offset] == '\n' && !string.start.is_triple)) {
    auto error = unterminated_string(source_, string.offset, string.start);
    throw Failure{error, string.start.is_triple};
  }
  if (at_closing_quotes(begin_ + offset, end_, string.start)) {
    auto error = make_error(token_at(source_, offset), "f-string: expecting '}'");
    error.place.end = offset + string.start.quote_length();
    error.notes = {{opening, "the string begins here"}};
    throw Failure{error};
  }
}

void State::check_brackets(uint32_t offset) {
  const OpenBracket& opener = layout.brackets.back();
  if (begin_ + offset >= end_) throw Failure{never_closed(opener), true};
  bool is_later_line = source_.line_of(opener.offset) < source_.line_of(offset);
  if (is_later_line && is_never_closed(source_, offset, layout.brackets)) {
    throw Failure{never_closed(opener)};
  }
}

// At the end, after a backslash.
bool State::is_continued(uint32_t offset) const {
  if (begin_ + offset + 2 >= end_ && source_.text().substr(offset) == "\\\n") return true;
  return begin_ + offset >= end_ && source_.text().ends_with("\\\n");
}

// What was read last, if it is an expression that ends just before.
State::Previous State::previous_value() const {
  if (items.empty() || items.back().has_comma) return {};
  const Item& item = items.back();
  switch (item.role) {
    case Role::value:
    case Role::default_value:
    case Role::annotation:
    case Role::keyword:
      return item.outer.end == token_end ? Previous{item.expr, item.outer} : Previous{};
    case Role::statement: break;
    default: return {};
  }
  const Expr* value = nullptr;
  if (auto* statement = try_as<ExprStmt>(item.stmt)) value = statement->value;
  if (auto* statement = try_as<Assign>(item.stmt)) value = statement->value;
  bool ends_here = value && item.stmt->span.end == token_end && value->span.end == token_end;
  return ends_here ? Previous{value, value->span} : Previous{};
}

// `a, b for x in y` in brackets or braces.
bool State::lacks_parentheses(std::string_view word) const {
  return word == "for" && items.size() > 1 && items[items.size() - 2].has_comma &&
         !layout.brackets.empty() && layout.brackets.back().open != '(';
}

SyntaxError State::explain(uint32_t offset) const {
  Span token = token_at(source_, offset);
  Previous left = previous_value();
  if (left.expr && is_assignment_sign(source_.text().substr(offset))) {
    return explain_assignment(left, token);
  }
  if (left.expr && begins_operand(source_, offset)) return explain_neighbours(left, token);
  if (left.expr && lacks_parentheses(source_.text(token))) {
    return make_error(join(items[items.size() - 2].outer, left.outer),
                      "did you forget parentheses around the comprehension target?");
  }
  return make_error(token, "invalid syntax");
}

// `a = b` where only `a == b` or `(a := b)` can be.
SyntaxError State::explain_assignment(const Previous& left, Span sign) const {
  if (!may_be_compared(*left.expr)) return make_error(sign, "invalid syntax");
  if (left.expr->kind == ExprKind::Name) {
    return make_error(left.outer, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  }
  return make_error(left.expr->span,
                    fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?",
                                describe(*left.expr)));
}

// `a b`.
SyntaxError State::explain_neighbours(const Previous& left, Span right) const {
  if (left.expr->kind == ExprKind::Name) {
    if (auto error = find_foreign_statement(source_, left.expr->span, right.begin)) return *error;
    char quote = begin_[right.begin];
    if (quote == '"' || quote == '\'') return make_error(right, "invalid syntax");
  }
  if (layout.brackets.empty()) return make_error(right, "invalid syntax");
  return make_error(join(left.outer, right), "invalid syntax. Perhaps you forgot a comma?");
}

}  // namespace gpy::syntax
