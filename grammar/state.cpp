#include "grammar/state.h"

#include <algorithm>

#include <fmt/format.h>
#include <pthread.h>

#include "grammar/target.h"

namespace gpy::syntax {
namespace {

// The stack that raising an error and unwinding need below the deepest frame that may be entered
// (one level of nesting takes 1-2 KiB in a release build, ten times that with sanitizers).
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr size_t kReserve = 192 << 10;
constexpr size_t kBytesPerLevel = 4096;
#else
constexpr size_t kReserve = 32 << 10;
constexpr size_t kBytesPerLevel = 1024;
#endif

// Code that walks a tree recurses once per level; this many levels are allowed on any stack.
constexpr size_t kLeastHeight = 250;

uintptr_t ask_lowest_stack_address() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(lowest);
}

// The question reads all of /proc/self/maps on the main thread, and its answer never changes.
uintptr_t lowest_stack_address() {
  static thread_local const uintptr_t lowest = ask_lowest_stack_address();
  return lowest;
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
  fail(make_error(span, std::move(message), kind));
}

void State::fail(SyntaxError error) { throw Failure{said_of_field(std::move(error))}; }

// CPython parses the fields of a formatted string separately, and its messages say so.
SyntaxError State::said_of_field(SyntaxError error) const {
  if (!layout.open_string.start.length || error.message.starts_with("f-string: ")) return error;
  error.message.insert(0, "f-string: ");
  return error;
}

void State::fail(const LiteralError& error) {
  uint32_t where = offset(error.at);
  Span place{where, std::max(where + 1, token_at(source_, where).end)};
  fail(with_hint(make_error(place, error.message), error.hint));
}

void State::fail_open(SyntaxError error) { throw Failure{std::move(error), true}; }

void State::fail_too_deep(uint32_t offset) {
  const char* message = !layout.brackets.empty() ? kTooManyParentheses : kTooDeep;
  throw Failure{make_error(token_at(source_, offset), message)};
}

void State::fail_block_too_deep(uint32_t offset) {
  fail(token_at(source_, offset), kTooManyBlocks, "IndentationError");
}

void State::fail_at(uint32_t offset, const Expected& expected) {
  if (layout.open_string.start.length) check_string_ends(offset);
  if (is_continued(offset)) {
    throw Failure{make_error(token_at(source_, offset), "unexpected EOF while parsing"), true};
  }
  if (auto bad = find_bad_token(source_, offset, layout.brackets)) {
    throw Failure{*bad, bad->message.starts_with("unterminated triple")};
  }
  if (!layout.brackets.empty()) check_brackets(offset);
  // The text after a value in a formatted string is examined like the text after any value.
  bool ends_field = expected.message && previous_value().expr &&
                    std::string_view(expected.message).starts_with("f-string: expecting");
  bool is_told = (expected.message && !ends_field) || expected.is_plain;
  const char* told = expected.message ? expected.message : "invalid syntax";
  auto error = is_told ? make_error(token_at(source_, offset), told) : explain(offset);
  Failure failure = advise(std::move(error), offset, expected);
  failure.error = said_of_field(std::move(failure.error));
  failure.is_open = failure.is_only_block = begin_ + offset >= end_ && expected.opens_block;
  throw failure;
}

// Where the string ends inside a field, reports that before anything else about the field.
void State::check_string_ends(uint32_t offset) {
  const OpenString& string = layout.open_string;
  Span opening{string.offset, string.offset + string.start.length};
  if (begin_ + offset >= end_ || (begin_[offset] == '\n' && !string.start.is_triple)) {
    auto error = unterminated_string(source_, string.offset, string.start);
    throw Failure{error, string.start.is_triple};
  }
  if (at_closing_quotes(begin_ + offset, end_, string.start)) {
    Span closing{offset, offset + string.start.quote_length()};
    fail(with_note(make_error(closing, "f-string: expecting '}'"), opening,
                   "the string begins here"));
  }
}

void State::check_brackets(uint32_t offset) {
  const OpenBracket& opener = layout.brackets.back();
  if (begin_ + offset >= end_) throw Failure{never_closed(source_, opener, offset), true};
  bool is_same_line = source_.line_of(opener.offset) == source_.line_of(offset);
  if (is_same_line && layout.open_string.start.length) return;
  if (is_same_line) {
    if (auto bad = find_bad_token_in_line(source_, offset, layout.brackets)) throw Failure{*bad};
  }
  if (is_never_closed(source_, offset, layout.brackets)) {
    throw Failure{never_closed(source_, opener, offset)};
  }
}

// Whether the source ends after a backslash at `offset`.
bool State::is_continued(uint32_t offset) const {
  if (begin_ + offset + 2 >= end_ && source_.text().substr(offset) == "\\\n") return true;
  return begin_ + offset >= end_ && source_.text().ends_with("\\\n");
}

// The item read last, if it is an expression that ends where the last token does.
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

// Whether this is `a, b for x in y` in brackets or braces.
bool State::lacks_parentheses(std::string_view word) const {
  return word == "for" && items.size() > 1 && items[items.size() - 2].has_comma &&
         !layout.brackets.empty() && layout.brackets.back().open != '(';
}

}  // namespace gpy::syntax
