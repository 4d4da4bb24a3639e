#pragma once
// Lowers a tree to code: names become registers, cells or globals; control flow becomes jumps.

#include <memory>

#include "grammar/ast.h"
#include "src/code.h"

namespace gpy {

// The code of a whole module. With `keeps_value`, for a prompt, it returns the value of its last
// statement if that is an expression, and shows those of others (show_value). Raises SyntaxError.
Ref<Code> lower_module(Interpreter& vm, std::shared_ptr<const syntax::Tree> tree, bool keeps_value);

}  // namespace gpy
