#pragma once

// Builders of expressions. Each takes the items of its construct off the stack and puts one on.

#include "grammar/state.h"

namespace gpy::syntax {

// ---- leaves: the span is exactly the token's ----
void build_name(State& state, Span span);
void build_number(State& state, Span span);
void build_constant(State& state, Span span);
void build_attribute(State& state, Span span);
void mark_yield(State& state, Span span);

void build_conditional(State& state, Frame frame);
void build_named(State& state, Frame frame);
void build_starred(State& state, Frame frame);
void build_double_starred(State& state, Frame frame);
void build_yield(State& state, Frame frame);
void build_tuple(State& state, Frame frame);  // only if there is a comma

// ---- displays ----
void build_group(State& state, Frame frame);
void build_list(State& state, Frame frame);
void build_brace(State& state, Frame frame);
void build_comprehension(State& state, Frame frame);
[[noreturn]] void refuse_dict_value_star(State& state, Span span);
[[noreturn]] void refuse_double_star(State& state, Span span);

// ---- calls and subscripts ----
void build_argument(State& state, Frame frame);
void build_call(State& state, Frame frame);
void build_slice(State& state, Frame frame);
void build_slices(State& state, Frame frame);
void build_subscript(State& state, Frame frame);

// ---- strings ----
void build_plain_string(State& state, Span span);
void build_literal_text(State& state, Span span);
void build_doubled_brace(State& state, Span span);
void build_debug_text(State& state, Span span);
void build_conversion(State& state, Span span);
void build_format_spec(State& state, Frame frame);
void build_field(State& state, Frame frame);
void build_strings(State& state, Frame frame);

// The arguments of a call or a class: values, then keywords.
struct CallArguments {
  ExprList args;
  std::span<const Keyword> keywords;
};
[[nodiscard]] CallArguments take_arguments(State& state, std::span<Item> items, Span parentheses);

[[nodiscard]] ComprehensionList take_comprehensions(State& state, std::span<const Item> items);

// Fails if the value of an assignment, `return`, ... is a lone `*value`.
void refuse_star(State& state, const Item& item);

}  // namespace gpy::syntax
