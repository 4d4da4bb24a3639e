#pragma once

// What is said when a rule that must match does not: one line for each rule that has more to say
// than "invalid syntax". Where CPython has words for it they are CPython's.

#include "grammar/rules/compounds.h"

namespace gpy::syntax {

inline void explain_nothing(State&, uint32_t) {}

struct Message {
  const char* text = nullptr;     // null: "invalid syntax", or what the place suggests
  bool opens_block = false;       // at the end of the input, more lines would help
  bool only_at_line_end = false;  // elsewhere in the line it is "invalid syntax"
  void (*explain)(State&, uint32_t) = explain_nothing;  // knows more; may throw
};

// ---- messages about more than the place where the rule failed ----

inline void explain_conditional(State& state, uint32_t offset) {
  if (!state.layout.brackets.empty() && state.at(offset) == state.end()) return;
  auto items = std::span(state.items).last(2);
  if (*state.at(offset) == ':' || state.text(token_at(state.source(), offset)) == "else") return;
  state.fail(join(items[0].outer, items[1].outer), "expected 'else' after 'if' expression");
}

inline void explain_except_types(State& state, uint32_t offset) {
  state.fail({state.items.back().outer.begin, offset},
             "multiple exception types must be parenthesized");
}

inline void explain_single_brace(State& state, uint32_t offset) {
  state.fail({offset, offset + 1}, "f-string: single '}' is not allowed");
}

// ---- one line for each rule ----

template <class Rule> inline constexpr Message message{};

#define GPY_MESSAGE(rule, ...) \
  template <> inline constexpr Message message<rules::rule> { __VA_ARGS__ }

GPY_MESSAGE(block_colon, .text = "expected ':'", .only_at_line_end = true);
GPY_MESSAGE(forced_colon, .text = "expected ':'");
GPY_MESSAGE(parameters, .text = "expected '('");
GPY_MESSAGE(except_or_finally, .text = "expected 'except' or 'finally' block", .opens_block = true);
GPY_MESSAGE(decorated_line, .opens_block = true);
GPY_MESSAGE(no_except_star, .text = "gpy has no 'except*'; write 'except'");
GPY_MESSAGE(no_trailing_comma,
            .text = "trailing comma not allowed without surrounding parentheses");
GPY_MESSAGE(no_parenthesized_parameter, .text = "Function parameters cannot be parenthesized");
GPY_MESSAGE(no_parenthesized_lambda_parameter,
            "Lambda expression parameters cannot be parenthesized");
GPY_MESSAGE(default_value, .text = "expected default value expression");
GPY_MESSAGE(dict_value, .text = "expression expected after dictionary key and ':'");
GPY_MESSAGE(no_empty_field, .text = "f-string: empty expression not allowed");
GPY_MESSAGE(no_bare_conversion, .text = "f-string: expression required before '!'");
GPY_MESSAGE(no_bare_format, .text = "f-string: expression required before ':'");
GPY_MESSAGE(conversion_letter, "f-string: invalid conversion character: expected 's', 'r', or 'a'");
GPY_MESSAGE(replacement_field::close, .text = "f-string: expecting '}'");
GPY_MESSAGE(no_single_brace, .explain = explain_single_brace);
GPY_MESSAGE(conditional_else, .explain = explain_conditional);
GPY_MESSAGE(no_unparenthesized_types, .explain = explain_except_types);
GPY_MESSAGE(kernel_body, .text = "expected '{' or ':' on the line of the kernel's signature");

#undef GPY_MESSAGE

}  // namespace gpy::syntax
