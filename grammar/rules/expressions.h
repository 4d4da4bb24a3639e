#pragma once

// Expressions. Each bracketed form begins once and is decided by what follows its first element,
// so that nothing is ever parsed twice.

#include "grammar/operators.h"
#include "grammar/rules/strings.h"
#include "grammar/rules/tokens.h"

namespace gpy::syntax::rules {

// ---- operations: operand (operator operand)* ----

template <Operators Which> struct infix_text {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    auto found = match_infix(in.current(), in.end(), Which);
    state.matched_operator = found.op;
    in.bump_in_this_line(found.length);
    return found.length > 0;
  }
};

struct prefix_text {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    auto found = match_prefix(state, in.current());
    state.matched_operator = found.op;
    in.bump_in_this_line(found.length);
    return found.length > 0;
  }
};

struct primary;
struct prefixed : seq<plus<token<prefix_text>>, must<primary>> {};
struct operand : sor<primary, prefixed> {};

template <Operators Which>
struct operation : seq<operand, star<token<infix_text<Which>>, must<operand>>> {};

using disjunction = operation<Operators::all>;
using arithmetic = operation<Operators::arithmetic>;  // those that bind tighter than comparisons

// ---- lambda, conditional, assignment expression ----

struct expression;
struct lambda;  // rules/functions.h

struct conditional_else : word<"else"> {};
struct conditional : seq<word<"if">, must<disjunction>, must<conditional_else>, must<expression>> {
};
struct plain_expression : seq<disjunction, opt<conditional>> {};
struct expression : nested<sor<plain_expression, lambda>> {};

struct named_value : seq<walrus, must<expression>> {};
struct named_expression : seq<expression, opt<named_value>> {};

struct starred : seq<star_sign, must<arithmetic>> {};
struct double_starred : seq<double_star_sign, must<arithmetic>> {};

// `a, *b, c`: a tuple if there is a comma.
struct star_expression : sor<expression, starred> {};
struct star_expressions : list_tail<star_expression, comma> {};

struct yield_word : exact_word<"yield"> {};
struct yield_from : seq<word<"from">, must<expression>> {};
struct yield_value : opt<star_expressions> {};
struct yield_expression : seq<token<yield_word>, sor<yield_from, yield_value>> {};

// ---- comprehensions ----

struct target : sor<arithmetic, starred> {};
struct target_list : list_tail<target, comma> {};
struct in_word : word<"in"> {};
struct comprehension_if : seq<word<"if">, must<disjunction>> {};
struct comprehension : seq<word<"for">, must<target_list>, must<in_word>, must<disjunction>,
                           star<comprehension_if>> {};
struct comprehensions : plus<comprehension> {};

// ---- displays ----

struct element : sor<named_expression, starred> {};
struct more_elements : seq<star<comma, element>, opt<comma>> {};
struct elements : seq<element, sor<comprehensions, more_elements>> {};

struct misplaced_double_star : seq<double_star_sign> {};
struct group_content : sor<elements, yield_expression, misplaced_double_star, success> {};
struct group : bracketed<'(', group_content, ')'> {};
struct list_display : bracketed<'[', opt<elements>, ']'> {};

struct dict_value_star : star_sign {};
struct dict_value : sor<expression, dict_value_star> {};
struct key_colon : colon {};
struct dict_pair_value : seq<key_colon, must<dict_value>> {};
struct dict_or_set_item : sor<seq<element, opt<dict_pair_value>>, double_starred> {};
struct brace_items
    : seq<dict_or_set_item, sor<comprehensions, seq<star<comma, dict_or_set_item>, opt<comma>>>> {};
struct brace_display : bracketed<'{', opt<brace_items>, '}'> {};

// ---- atoms and what may follow them ----

struct constant_name
    : sor<exact_word<"None">, exact_word<"True">, exact_word<"False">, exact_symbol<"...">> {};
struct constant : token<constant_name> {};
struct atom : sor<name, number, strings, group, list_display, constant, brace_display> {};

struct keyword_value : seq<equals, must<expression>> {};
struct plain_argument : seq<named_expression, sor<comprehensions, keyword_value, success>> {};
struct star_argument : seq<star_sign, must<expression>> {};
struct double_star_argument : seq<double_star_sign, must<expression>> {};
struct argument : sor<plain_argument, star_argument, double_star_argument> {};
struct arguments : bracketed<'(', opt<list_tail<argument, comma>>, ')'> {};
struct call : seq<arguments> {};

struct slice_colon : colon {};
struct slice_rest : seq<slice_colon, opt<expression>, opt<slice_colon, opt<expression>>> {};
struct slice : seq<sor<named_expression, at<one<':'>>>, opt<slice_rest>> {};
struct slice_item : sor<slice, starred> {};
struct slices : list_tail<slice_item, comma> {};
struct subscript : bracketed<'[', must<slices>, ']'> {};

struct attribute_text : identifier {};
struct attribute_name : token<attribute_text> {};
struct attribute : seq<dot, must<attribute_name>> {};

struct trailer : sor<call, attribute, subscript> {};
struct primary : seq<atom, star<trailer>> {};

}  // namespace gpy::syntax::rules
