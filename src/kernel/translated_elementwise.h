#pragma once
// Elementwise kernels whose body is in gpy.

#include "grammar/ast.h"
#include "src/interpreter.h"

namespace gpy {

// `kernel elementwise hypot2(x, y) -> z: ...`. The body is translated when the kernel is first
// called with arguments of some types; the names in it that are not local are the module's, as they
// are then.
Value make_translated_elementwise(Interpreter& vm, const syntax::KernelDef& def);

}  // namespace gpy
