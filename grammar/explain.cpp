// The best message for the place where a rule failed: CPython's words, and a hint.

#include <fmt/format.h>

#include "grammar/hints.h"
#include "grammar/state.h"
#include "grammar/target.h"

namespace gpy::syntax {
namespace {

bool is_assignment_sign(std::string_view rest) {
  return rest.starts_with('=') && !rest.starts_with("==");
}

std::string_view word_at(const SourceFile& source, uint32_t offset) {
  return source.text(token_at(source, offset));
}

// The end of the list of values that begins at `at`: `;`, `:`, a closing bracket, or the end of the
// line.
uint32_t end_of_values(const SourceFile& source, uint32_t at, bool stops_at_comma = false) {
  int depth = 0;
  uint32_t end = at;
  while (at < source.text().size() && source.text()[at] != '\n') {
    char c = source.text()[at];
    if (is_blank(c)) {
      ++at;
      continue;
    }
    if (c == '#' || (depth == 0 && (c == ';' || c == ':' || (stops_at_comma && c == ',')))) break;
    if (is_opener(c)) ++depth;
    if (is_closer(c) && --depth < 0) break;
    end = at = token_at(source, at).end;
  }
  return end;
}

SyntaxError no_match_statement(Span word) {
  return with_hint(make_error(word, "gpy has no 'match' statement"),
                   "write 'if', 'elif' and 'else'");
}

SyntaxError bad_kernel_head(const SourceFile& source, uint32_t next) {
  auto kind = word_at(source, next);
  bool is_kind = find_kernel_kind(kind).has_value();
  return make_error(
      token_at(source, next),
      is_kind ? fmt::format("expected 'kernel {} NAME' and then '(', '{{', '->' or ':'", kind)
              : "expected 'elementwise', 'reduction', 'scan', 'stencil' or 'raw' after 'kernel'");
}

// Finds a name followed by an expression: a statement of another language or of another Python.
std::optional<SyntaxError> find_foreign_statement(const SourceFile& source, Span name,
                                                  uint32_t next) {
  auto word = source.text(name);
  if (word == "print" || word == "exec") {
    Span whole{name.begin, end_of_values(source, next)};
    auto error = make_error(
        whole, fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", word));
    if (word == "print") return error;
    return with_hint(std::move(error), "gpy runs no text: write a function, or a module to import");
  }
  bool heads_block = ends_with_colon(source, source.line_of(next));
  if (word == "match" && heads_block) return no_match_statement(name);
  if (word == "type") {
    return with_hint(make_error(name, "gpy has no 'type' statement"), "write 'NAME = ...'");
  }
  if (word == "kernel") return bad_kernel_head(source, next);
  return std::nullopt;
}

// Whether the error's message says only that something is wrong, or where.
bool may_be_advised(const SyntaxError& error) {
  const std::string& said = error.message;
  return error.hint.empty() &&
         (said == "invalid syntax" || said.ends_with("forgot a comma?") || said == "expected ':'" ||
          said == "expected '('" || said.starts_with("expected 'except'") ||
          said.starts_with("f-string: expecting"));
}

// Finds `'it's'`: the string ended too early, and another begins on the line and does not end.
std::optional<SyntaxError> find_apostrophe(const SourceFile& source, uint32_t at) {
  uint32_t end = end_of_values(source, at);
  while (at < end) {
    Span token = token_at(source, at);
    const char* begin = source.text().data() + at;
    const char* last = source.text().data() + source.text().size();
    auto start = string_start(begin, last);
    if (start.length && !skip_string(begin + start.length, last, start)) {
      return unterminated_string(source, at, start);
    }
    at = std::max(token.end, at + 1);
  }
  return std::nullopt;
}

}  // namespace

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
  Scene scene = make_scene(source_, offset, token_end);
  if (is_match_statement(scene)) return no_match_statement(scene.first);
  return make_error(token, "invalid syntax");
}

// Explains `a = b` where only `a == b` or `(a := b)` can be.
SyntaxError State::explain_assignment(const Previous& left, Span sign) const {
  if (!may_be_compared(*left.expr)) return make_error(sign, "invalid syntax");
  if (left.expr->kind == ExprKind::Name) {
    Span whole{left.outer.begin, end_of_values(source_, sign.begin, true)};
    return make_error(whole, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
  }
  return make_error(left.expr->span,
                    fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?",
                                describe(*left.expr)));
}

// Whether the last value stands in the place of a key, after other pairs of a dict display.
bool State::is_dict_key() const {
  if (layout.brackets.empty() || layout.brackets.back().open != '{') return false;
  if (items.size() < 2) return false;
  auto is_inside = [&](const Item& item) {
    return item.outer.begin > layout.brackets.back().offset;
  };
  const Item& before = items[items.size() - 2];
  if (before.role == Role::double_star) return is_inside(before);
  if (before.role != Role::value || items.size() < 3) return false;
  const Item& first = items[items.size() - 3];
  return first.role == Role::key && is_inside(first);
}

// Explains two neighbouring values, `a b`.
SyntaxError State::explain_neighbours(const Previous& left, Span right) const {
  if (left.expr->kind == ExprKind::Name) {
    if (auto error = find_foreign_statement(source_, left.expr->span, right.begin)) return *error;
    char quote = begin_[right.begin];
    if (quote == '"' || quote == '\'') return make_error(right, "invalid syntax");
  }
  if (left.expr->kind == ExprKind::Constant && left.outer.end == right.begin) {
    if (auto error = find_apostrophe(source_, right.begin)) return *error;
  }
  if (layout.brackets.empty()) return make_error(right, "invalid syntax");
  if (is_dict_key()) return make_error(left.outer, "':' expected after dictionary key");
  auto error = make_error(join(left.outer, right), "invalid syntax. Perhaps you forgot a comma?");
  int line = source_.line_of(left.outer.end), next = source_.line_of(right.begin);
  if (next > line) error.hint = fmt::format("line {} ends without a ','", line);
  return error;
}

// Adds a hint of what to write instead, as far as the place shows it.
Failure State::advise(SyntaxError error, uint32_t offset, const Expected& expected) const {
  bool is_expected =
      expected.message ? error.message == expected.message : error.message == "invalid syntax";
  std::string last_hint = is_expected ? expected.hint : "";
  if (!may_be_advised(error)) {
    return Failure{.error = std::move(error), .last_hint = std::move(last_hint)};
  }
  Scene scene = make_scene(source_, offset, token_end);
  Previous left = previous_value();
  if (left.expr) scene.value = left.outer;
  scene.is_bracketed = !layout.brackets.empty();
  auto advice = find_habit(scene);
  if (!advice && !error.message.starts_with("f-string") && !layout.open_string.start.length) {
    if (auto bad = find_bad_token_in_line(source_, offset, layout.brackets)) return Failure{*bad};
  }
  if (!advice) advice = find_slip(scene);
  if (advice) {
    bool is_vague = error.message.starts_with("invalid syntax");
    if (advice->place && is_vague) error.message = "invalid syntax";
    if (advice->place) error.place = *advice->place;
    error.hint = std::move(advice->hint);
  }
  return Failure{.error = std::move(error), .last_hint = std::move(last_hint)};
}

}  // namespace gpy::syntax
