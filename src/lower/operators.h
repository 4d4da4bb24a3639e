#pragma once
// The binary operators of the tree as those of values.

#include "grammar/ast.h"
#include "src/type.h"

namespace gpy {

inline BinaryOp binary_operator(syntax::BinaryOperator op) {
  using enum syntax::BinaryOperator;
  switch (op) {
    case Add: return BinaryOp::add;
    case Sub: return BinaryOp::subtract;
    case Mult: return BinaryOp::multiply;
    case MatMult: return BinaryOp::matmul;
    case Div: return BinaryOp::true_divide;
    case Mod: return BinaryOp::remainder;
    case Pow: return BinaryOp::power;
    case LShift: return BinaryOp::left_shift;
    case RShift: return BinaryOp::right_shift;
    case BitOr: return BinaryOp::bit_or;
    case BitXor: return BinaryOp::bit_xor;
    case BitAnd: return BinaryOp::bit_and;
    case FloorDiv: return BinaryOp::floor_divide;
  }
  __builtin_unreachable();
}

}  // namespace gpy
