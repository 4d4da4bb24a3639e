#pragma once

// The messages for rules that must match and do not: one line for each rule that has more to say
// than "invalid syntax". Where CPython has words for it they are CPython's.

#include <fmt/format.h>

#include "grammar/rules/compounds.h"

namespace gpy::syntax {

// ---- messages about more than the place where the rule failed ----

inline void explain_conditional(State& state, uint32_t offset) {
  if (!state.layout.brackets.empty() && state.at(offset) == state.end()) return;
  auto items = std::span(state.items).last(2);
  if (*state.at(offset) == ':' || state.text(token_at(state.source(), offset)) == "else") return;
  Span whole = join(items[0].outer, items[1].outer);
  state.fail(with_hint(make_error(whole, "expected 'else' after 'if' expression"),
                       fmt::format("write '{} else OTHER'", state.text(whole))));
}

inline void explain_except_types(State& state, uint32_t offset) {
  const Item& first = state.items.back();
  auto error =
      make_error({first.outer.begin, offset}, "multiple exception types must be parenthesized");
  std::string_view name = state.text(first.outer);
  state.fail(with_hint(std::move(error), fmt::format("write 'except ({}, ...):' for several types, "
                                                     "'except {} as NAME:' to name the error",
                                                     name, name)));
}

inline void explain_missing_parameters(State& state, uint32_t offset) {
  if (state.at(offset) == state.end() || *state.at(offset) != ':') return;
  auto name = state.text(state.items.back().outer);
  state.fail(with_hint(make_error(token_at(state.source(), offset), "expected '('"),
                       fmt::format("write 'def {}():'", name)));
}

inline void explain_single_brace(State& state, uint32_t offset) {
  state.fail(with_hint(make_error({offset, offset + 1}, "f-string: single '}' is not allowed"),
                       "write '}}' for a brace"));
}

// ---- one line for each rule ----

template <class Rule> inline constexpr Expected expected{};

#define GPY_MESSAGE(rule, ...) \
  template <> inline constexpr Expected expected<rules::rule> { __VA_ARGS__ }

GPY_MESSAGE(block_colon, .message = "expected ':'", .only_at_line_end = true);
GPY_MESSAGE(forced_colon, .message = "expected ':'");
GPY_MESSAGE(parameters, .message = "expected '('", .explain = explain_missing_parameters);
GPY_MESSAGE(except_or_finally, .message = "expected 'except' or 'finally' block",
            .hint = "write 'except ERROR:' after the block of 'try'", .opens_block = true);
GPY_MESSAGE(for_in, .hint = "a loop is 'for NAME in VALUES:'", .is_plain = true);
GPY_MESSAGE(in_word, .hint = "a comprehension is 'VALUE for NAME in VALUES'");
GPY_MESSAGE(lambda_colon, .hint = "a lambda is 'lambda NAMES: VALUE'");
GPY_MESSAGE(import_word, .hint = "write 'from MODULE import NAMES'");
GPY_MESSAGE(imported_members, .hint = "the names to import are missing");
GPY_MESSAGE(module_alias, .hint = "the name of a module is missing");
GPY_MESSAGE(declared_name, .hint = "a name is missing");
GPY_MESSAGE(attribute_name, .hint = "a name is missing after '.'");
GPY_MESSAGE(slices, .hint = "an index is missing; ':' takes all");
GPY_MESSAGE(end_of_line, .hint = "an operator, a ',' or a new line is missing before this");
GPY_MESSAGE(definition, .hint = "a decorator stands before 'def' or 'class'");
GPY_MESSAGE(decorated_line, .hint = "a decorator stands before 'def' or 'class'",
            .opens_block = true);
GPY_MESSAGE(no_except_star, .message = "gpy has no 'except*'", .hint = "write 'except'");
GPY_MESSAGE(no_trailing_comma,
            .message = "trailing comma not allowed without surrounding parentheses");
GPY_MESSAGE(no_parenthesized_parameter, .message = "Function parameters cannot be parenthesized",
            .hint = "take one parameter and unpack it in the body");
GPY_MESSAGE(no_parenthesized_lambda_parameter,
            .message = "Lambda expression parameters cannot be parenthesized",
            .hint = "write 'lambda x, y: ...'");
GPY_MESSAGE(default_value, .message = "expected default value expression");
GPY_MESSAGE(dict_value, .message = "expression expected after dictionary key and ':'");
GPY_MESSAGE(no_empty_field, .message = "f-string: empty expression not allowed",
            .hint = "write '{{}}' for braces");
GPY_MESSAGE(no_bare_conversion, .message = "f-string: expression required before '!'");
GPY_MESSAGE(no_bare_format, .message = "f-string: expression required before ':'");
GPY_MESSAGE(conversion_letter,
            .message = "f-string: invalid conversion character: expected 's', 'r', or 'a'");
GPY_MESSAGE(replacement_field::close, .message = "f-string: expecting '}'");
GPY_MESSAGE(no_single_brace, .explain = explain_single_brace);
GPY_MESSAGE(conditional_else, .explain = explain_conditional);
GPY_MESSAGE(no_unparenthesized_types, .explain = explain_except_types);
GPY_MESSAGE(kernel_body, .message = "expected '{' or ':' on the line of the kernel's signature");

#undef GPY_MESSAGE

}  // namespace gpy::syntax
