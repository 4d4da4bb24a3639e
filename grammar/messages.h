#pragma once

// What is said when a rule that must match does not: one line for each rule that has more to say
// than "invalid syntax". Where CPython has words for it they are CPython's.

#include "grammar/rules/compounds.h"

namespace gpy::syntax {

struct Message {
  const char* text = nullptr;        // null: "invalid syntax", or what the place suggests
  bool opens_block = false;          // at the end of the input, more lines would help
  bool only_at_line_end = false;     // elsewhere in the line it is "invalid syntax"
};

template <class Rule>
inline constexpr Message message{};

#define GPY_MESSAGE(rule, ...) \
  template <>                  \
  inline constexpr Message message<rules::rule> { __VA_ARGS__ }

GPY_MESSAGE(block_colon, "expected ':'", false, true);
GPY_MESSAGE(forced_colon, "expected ':'");
GPY_MESSAGE(parameters, "expected '('");
GPY_MESSAGE(except_or_finally, "expected 'except' or 'finally' block", true);
GPY_MESSAGE(decorated_line, nullptr, true);
GPY_MESSAGE(no_except_star, "gpy has no 'except*'; write 'except'");
GPY_MESSAGE(no_trailing_comma, "trailing comma not allowed without surrounding parentheses");
GPY_MESSAGE(no_parenthesized_parameter, "Function parameters cannot be parenthesized");
GPY_MESSAGE(no_parenthesized_lambda_parameter,
            "Lambda expression parameters cannot be parenthesized");
GPY_MESSAGE(default_value, "expected default value expression");
GPY_MESSAGE(dict_value, "expression expected after dictionary key and ':'");
GPY_MESSAGE(no_empty_field, "f-string: empty expression not allowed");
GPY_MESSAGE(no_bare_conversion, "f-string: expression required before '!'");
GPY_MESSAGE(no_bare_format, "f-string: expression required before ':'");
GPY_MESSAGE(conversion_letter,
            "f-string: invalid conversion character: expected 's', 'r', or 'a'");
GPY_MESSAGE(replacement_field::close, "f-string: expecting '}'");
GPY_MESSAGE(no_single_brace, "f-string: single '}' is not allowed");
GPY_MESSAGE(kernel_body, "expected '{' or ':' on the line of the kernel's signature");

#undef GPY_MESSAGE

}  // namespace gpy::syntax
