#pragma once

// Builders of statements. Each takes the items of its statement off the stack and puts one on.

#include "grammar/state.h"

namespace gpy::syntax {

// ---- one line ----
void build_assignment(State& state, Frame frame);
void build_augmented(State& state, Frame frame);
void build_annotated(State& state, Frame frame);
void build_expression_statement(State& state, Frame frame);
void build_return(State& state, Frame frame);
void build_delete(State& state, Frame frame);
void build_pass(State& state, Frame frame);
void build_break(State& state, Frame frame);
void build_continue(State& state, Frame frame);
void build_global(State& state, Frame frame);
void build_nonlocal(State& state, Frame frame);
void build_assert(State& state, Frame frame);
void build_raise(State& state, Frame frame);
void build_import(State& state, Frame frame);
void build_import_from(State& state, Frame frame);
void mark_augmented(State& state, Span span);
void mark_import_dots(State& state, Span span);
void mark_import_word(State& state, Span span);

// ---- blocks ----
void build_block(State& state, Frame frame);
void build_if(State& state, Frame frame);
void build_elif(State& state, Frame frame);
void build_while(State& state, Frame frame);
void build_for(State& state, Frame frame);
void build_try(State& state, Frame frame);
void build_handler(State& state, Frame frame);
void build_with(State& state, Frame frame);
[[nodiscard]] StmtList take_statements(State& state, size_t base);

// ---- definitions ----
void build_lambda(State& state, Frame frame);
void build_function(State& state, Frame frame);
void build_class(State& state, Frame frame);
void build_decorated(State& state, Frame frame);
void build_kernel(State& state, Frame frame);
void mark_kernel_inputs(State& state, Frame frame);
void mark_kernel_outputs(State& state, Frame frame);

// The first item with this role; null if there is none.
[[nodiscard]] const Item* find_item(std::span<const Item> items, Role role);

}  // namespace gpy::syntax
