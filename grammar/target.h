#pragma once

// Expressions in the role of targets: of assignments, loops, `with`, `del`.

#include <string_view>

#include "grammar/state.h"

namespace gpy::syntax {

// The name of the expression in CPython's messages: "function call", "literal".
[[nodiscard]] std::string_view describe(const Expr& expr);

// Whether CPython suggests `==` where `expr = ...` is not allowed.
[[nodiscard]] bool may_be_compared(const Expr& expr);

// Gives the expression and its parts the context Store. `hint` follows the message
// ("cannot assign to literal" + hint) when the expression itself, not a part, is at fault.
void make_store_target(State& state, Expr& expr, std::string_view hint = "");
void make_delete_target(State& state, Expr& expr);

}  // namespace gpy::syntax
