#pragma once
// Elementwise kernels whose body is in gpy.

#include "grammar/ast.h"
#include "src/interpreter.h"
#include "src/translate/dialect.h"

namespace gpy {

// `kernel elementwise hypot2(x, y) -> z: ...`. The body is translated when the kernel is first
// called with arguments of some types; the names in it that are not local are the module's, as they
// are then.
Value make_translated_elementwise(Interpreter& vm, const syntax::KernelDef& def);
// The kernel of a function of numbers, whose output is what the function returns.
Value make_elementwise_of(Interpreter& vm, const Value& function, Dialect dialect);

// The text that a kernel's body in gpy begins with, or None.
Value docstring_of(Interpreter& vm, const syntax::KernelDef& def);

}  // namespace gpy
