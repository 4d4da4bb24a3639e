#pragma once

// The operators of expressions: how they are written, how tightly they bind, and how operands and
// operators on the stack become nodes. The grammar itself is flat: operand (operator operand)*.

#include "grammar/state.h"

namespace gpy::syntax {

// The operators that an expression may contain: all, or only those that bind tighter than
// comparisons (after `*`, in targets).
enum class Operators : uint8_t { all, arithmetic };

// The operator at `at`; length 0 if there is none. The span is not set.
struct OperatorMatch {
  int length = 0;
  PendingOperator op;
};

[[nodiscard]] OperatorMatch match_infix(const char* at, const char* end, Operators which);
// `not` is a prefix only where nothing that binds tighter waits for an operand (`a == not b`).
[[nodiscard]] OperatorMatch match_prefix(const State& state, const char* at);

void begin_operation(State& state, Operators which);
void build_prefix(State& state, Span span);
void build_infix(State& state, Span span);
// Leaves one item in the place of the operands.
void end_operation(State& state);

}  // namespace gpy::syntax
