#pragma once
// The intrinsics by name, and the members of the translator that they are.

#include <span>
#include <string_view>

#include "grammar/ast.h"
#include "src/translate/dialect.h"

namespace gpy {

class FunctionTranslator;

struct Intrinsic {
  using Call = TypedExpression (FunctionTranslator::*)(const Intrinsic&, const syntax::Call&);
  std::string_view name;
  Call call = nullptr;           // null: a value
  std::string_view symbol = {};  // in the text that is written
  int arguments = -1;            // -1: the call counts them
  rt::DType dtype = {};          // of a value, or of what a call gives
};

std::span<const Intrinsic> intrinsics();
const Intrinsic* find_intrinsic(std::string_view name);

// Computing it changes something, or reads what other threads may change.
inline TypedExpression with_effects(TypedExpression value) {
  value.effects = true;
  return value;
}

}  // namespace gpy
