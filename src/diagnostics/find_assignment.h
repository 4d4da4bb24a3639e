#pragma once
// Where a variable got what it holds, as far as the text says.

#include <string_view>

#include "grammar/ast.h"

namespace gpy {

// What was assigned to the name of that place last, in the function around it or else in the
// module; null: it was not assigned a single expression.
const syntax::Expr* find_assigned(const syntax::Tree& tree, const syntax::Name& place);

}  // namespace gpy
