#pragma once

// The builder that each rule calls when it has matched. All is decided before a builder runs.

#include "grammar/builders/expressions.h"
#include "grammar/builders/statements.h"
#include "grammar/messages.h"
#include "grammar/rules/compounds.h"

namespace gpy::syntax {

// ---- kinds of actions ----

// The builder gets the exact extent of a token.
template <void (*Build)(State&, Span)> struct leaf {
  template <class ActionInput> static void apply(const ActionInput& in, State& state) {
    Build(state, {state.offset(in.begin()), state.offset(in.end())});
  }
};

enum class Ends : uint8_t { at_token, at_text };

// The builder gets the items pushed while the rule matched.
template <void (*Build)(State&, Frame), Ends End = Ends::at_token>
struct framed : tao::pegtl::maybe_nothing {
  template <class Rule, tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M,
            template <typename...> class Action, template <typename...> class Control, class In>
  static bool match(In& in, State& state) {
    Frame frame{state.items.size(), {state.offset(in.current()), 0}};
    if (!tao::pegtl::match<Rule, A, M, Action, Control>(in, state)) return false;
    if constexpr (A == tao::pegtl::apply_mode::action) {
      frame.span.end = End == Ends::at_text ? state.offset(in.current()) : state.token_end;
      Build(state, frame);
    }
    return true;
  }
};

template <Operators Which> struct operating : tao::pegtl::maybe_nothing {
  template <class Rule, tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M,
            template <typename...> class Action, template <typename...> class Control, class In>
  static bool match(In& in, State& state) {
    begin_operation(state, Which);
    bool matched = tao::pegtl::match<Rule, A, M, Action, Control>(in, state);
    if (matched) {
      end_operation(state);
    } else {
      state.operators.pop_back();
    }
    return matched;
  }
};

// Gives the item pushed last the role R.
template <Role R> struct relabel {
  static void apply0(State& state) { state.items.back().role = R; }
};

// Pushes the token itself.
template <Role R> struct push_token {
  template <class ActionInput> static void apply(const ActionInput& in, State& state) {
    state.push(R, {state.offset(in.begin()), state.offset(in.end())});
  }
};

struct mark_comma {
  static void apply0(State& state) { state.items.back().has_comma = true; }
};

// ---- rule by rule ----

template <class Rule> struct Action : tao::pegtl::nothing<Rule> {};

#define GPY_ACTION(rule, ...) \
  template <> struct Action<rules::rule> : __VA_ARGS__ {}

GPY_ACTION(name_text, leaf<build_name>);
GPY_ACTION(number_literal, leaf<build_number>);
GPY_ACTION(constant_name, leaf<build_constant>);
GPY_ACTION(attribute_text, leaf<build_attribute>);
GPY_ACTION(comma, mark_comma);
GPY_ACTION(declared_text, push_token<Role::name>);

GPY_ACTION(prefix_text, leaf<build_prefix>);
GPY_ACTION(infix_text<Operators::all>, leaf<build_infix>);
GPY_ACTION(infix_text<Operators::arithmetic>, leaf<build_infix>);
GPY_ACTION(disjunction, operating<Operators::all>);
GPY_ACTION(arithmetic, operating<Operators::arithmetic>);
GPY_ACTION(conditional, framed<build_conditional>);
GPY_ACTION(named_value, framed<build_named>);
GPY_ACTION(starred, framed<build_starred>);
GPY_ACTION(double_starred, framed<build_double_starred>);
GPY_ACTION(star_expressions, framed<build_tuple>);
GPY_ACTION(target_list, framed<build_tuple>);
GPY_ACTION(yield_word, leaf<mark_yield>);
GPY_ACTION(yield_from, relabel<Role::from>);
GPY_ACTION(yield_expression, framed<build_yield>);

GPY_ACTION(comprehension, framed<build_comprehension>);
GPY_ACTION(group, framed<build_group>);
GPY_ACTION(list_display, framed<build_list>);
GPY_ACTION(brace_display, framed<build_brace>);
GPY_ACTION(key_colon, relabel<Role::key>);
GPY_ACTION(dict_value_star, leaf<refuse_dict_value_star>);
GPY_ACTION(misplaced_double_star, leaf<refuse_double_star>);

GPY_ACTION(plain_argument, framed<build_argument>);
GPY_ACTION(star_argument, framed<build_starred>);
GPY_ACTION(double_star_argument, framed<build_double_starred>);
GPY_ACTION(call, framed<build_call>);
GPY_ACTION(slice_colon, push_token<Role::colon>);
GPY_ACTION(slice, framed<build_slice>);
GPY_ACTION(slices, framed<build_slices>);
GPY_ACTION(subscript, framed<build_subscript>);

GPY_ACTION(plain_string, leaf<build_plain_string>);
GPY_ACTION(literal_text, leaf<build_literal_text>);
GPY_ACTION(format_text, leaf<build_literal_text>);
GPY_ACTION(doubled_brace, leaf<build_doubled_brace>);
GPY_ACTION(debug_equals, leaf<build_debug_text>);
GPY_ACTION(conversion_letter, leaf<build_conversion>);
GPY_ACTION(format_spec, framed<build_format_spec, Ends::at_text>);
GPY_ACTION(replacement_field, framed<build_field, Ends::at_text>);
GPY_ACTION(formatted_string, push_token<Role::formatted>);
GPY_ACTION(strings, framed<build_strings>);

GPY_ACTION(star_mark, push_token<Role::star_mark>);
GPY_ACTION(double_star_mark, push_token<Role::double_star_mark>);
GPY_ACTION(slash_mark, push_token<Role::slash_mark>);
GPY_ACTION(annotation, relabel<Role::annotation>);
GPY_ACTION(parameter_default, relabel<Role::default_value>);
GPY_ACTION(lambda, framed<build_lambda>);

GPY_ACTION(assignment, framed<build_assignment>);
GPY_ACTION(augmented_sign, leaf<mark_augmented>);
GPY_ACTION(augmented_assignment, framed<build_augmented>);
GPY_ACTION(annotated_assignment, framed<build_annotated>);
GPY_ACTION(expression_statement, framed<build_expression_statement>);
GPY_ACTION(return_statement, framed<build_return>);
GPY_ACTION(delete_statement, framed<build_delete>);
GPY_ACTION(pass_statement, framed<build_pass>);
GPY_ACTION(break_statement, framed<build_break>);
GPY_ACTION(continue_statement, framed<build_continue>);
GPY_ACTION(global_statement, framed<build_global>);
GPY_ACTION(nonlocal_statement, framed<build_nonlocal>);
GPY_ACTION(assert_statement, framed<build_assert>);
GPY_ACTION(raise_statement, framed<build_raise>);

GPY_ACTION(as_name, relabel<Role::as_name>);
GPY_ACTION(dotted_text, push_token<Role::name>);
GPY_ACTION(star_text, push_token<Role::name>);
GPY_ACTION(import_dots_text, leaf<mark_import_dots>);
GPY_ACTION(import_word, leaf<mark_import_word>);
GPY_ACTION(import_statement, framed<build_import>);
GPY_ACTION(import_from_statement, framed<build_import_from>);

GPY_ACTION(block, framed<build_block>);
GPY_ACTION(else_clause, relabel<Role::else_body>);
GPY_ACTION(finally_clause, relabel<Role::finally_body>);
GPY_ACTION(elif_branch, framed<build_elif>);
GPY_ACTION(if_statement, framed<build_if>);
GPY_ACTION(while_statement, framed<build_while>);
GPY_ACTION(for_statement, framed<build_for>);
GPY_ACTION(except_as, relabel<Role::as_name>);
GPY_ACTION(except_branch, framed<build_handler>);
GPY_ACTION(try_statement, framed<build_try>);
GPY_ACTION(as_target, relabel<Role::as_target>);
GPY_ACTION(with_statement, framed<build_with>);
GPY_ACTION(function_definition, framed<build_function>);
GPY_ACTION(class_definition, framed<build_class>);
GPY_ACTION(decorated, framed<build_decorated>);

GPY_ACTION(kernel_kind_text, push_token<Role::kernel_kind>);
GPY_ACTION(kernel_word_text, push_token<Role::kernel_token>);
GPY_ACTION(kernel_mark_text, push_token<Role::kernel_token>);
GPY_ACTION(kernel_parameters, framed<mark_kernel_inputs>);
GPY_ACTION(kernel_output_values, framed<mark_kernel_outputs>);
GPY_ACTION(kernel_definition, framed<build_kernel>);

#undef GPY_ACTION

// ---- names of missing blocks in messages ----

template <rules::BlockOf Kind, class Word> struct Action<rules::header<Kind, Word>> {
  template <class ActionInput> static void apply(const ActionInput& in, State& state) {
    static constexpr const char* kNames[] = {
        "'if' statement",   "'elif' statement",    "'else' statement",   "'while' statement",
        "'for' statement",  "'try' statement",     "'except' statement", "'finally' statement",
        "'with' statement", "function definition", "class definition",   "kernel definition"};
    state.header = {kNames[static_cast<size_t>(Kind)], state.offset(in.begin())};
  }
};

// ---- failing ----

template <class Rule> struct Control : tao::pegtl::normal<Rule> {
  template <class In> [[noreturn]] static void raise(const In& in, State& state) {
    Expected told = expected<Rule>;
    uint32_t where = state.offset(in.current());
    if (told.explain) told.explain(state, where);
    bool is_line_end = in.empty() || *in.current() == '\n';
    if (told.only_at_line_end && !is_line_end) told.message = nullptr;
    state.fail_at(where, told);
  }
};

}  // namespace gpy::syntax
