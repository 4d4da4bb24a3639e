#pragma once

// String literals. The fields of formatted strings are expressions of the grammar like others.

#include "grammar/rules/tokens.h"

namespace gpy::syntax::rules {

struct plain_string {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    auto start = string_start(in.current(), in.end());
    if (start.length == 0 || start.is_formatted) return false;
    const char* after = skip_string(in.current() + start.length, in.end(), start);
    if (!after) state.fail_at(state.offset(in.current()));
    in.bump(after - in.current());
    return true;
  }
};

// Text of a formatted string up to a brace or the end.
struct string_text {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    const char* after = skip_literal_text(state, in.current());
    if (after == in.current()) return false;
    in.bump(after - in.current());
    return true;
  }
};

struct closing_quotes {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    const StringStart& start = state.layout.open_string.start;
    if (in.empty() || !at_closing_quotes(in.current(), in.end(), start)) return false;
    in.bump_in_this_line(start.quote_length());
    return true;
  }
};

struct star_expressions;  // rules/expressions.h
struct yield_expression;

struct no_empty_field : not_at<one<'}'>> {};
struct no_bare_conversion : not_at<one<'!'>> {};
struct no_bare_format : not_at<one<':'>> {};
struct field_value : sor<star_expressions, yield_expression> {};
struct debug_equals : equals {};
struct conversion_letter : seq<one<'s', 'r', 'a'>, at<one<'}', ':', ' '>>> {};
struct conversion : seq<one<'!'>, must<conversion_letter>, ws> {};

struct replacement_field;
struct format_text : string_text {};
struct format_spec : seq<one<':'>, star<sor<format_text, replacement_field>>> {};
struct field_content
    : seq<must<no_empty_field>, must<no_bare_conversion>, must<no_bare_format>, must<field_value>,
          opt<debug_equals>, opt<conversion>, opt<format_spec>> {};
struct replacement_field : bracketed_text<'{', field_content, '}'> {};

struct literal_text : string_text {};
struct doubled_brace : sor<string<'{', '{'>, string<'}', '}'>> {};
struct no_single_brace : not_at<one<'}'>> {};
struct formatted_parts : seq<star<sor<literal_text, doubled_brace, replacement_field>>,
                             must<no_single_brace>, must<closing_quotes>> {};
struct formatted_string : in_formatted_string<formatted_parts> {};

struct strings : plus<token<sor<plain_string, formatted_string>>> {};

}  // namespace gpy::syntax::rules
