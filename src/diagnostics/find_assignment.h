#pragma once
// Where a variable got what it holds, as far as the text says.

#include <vector>

#include "grammar/ast.h"

namespace gpy {

// What is assigned to the name of that place in the function around it, or else in the module. The
// last before the place comes first, then those before it, then those behind the place (of an
// earlier turn of a loop); null: what was assigned is not a single expression.
std::vector<const syntax::Expr*> find_assigned(const syntax::Tree& tree, const syntax::Name& place);

}  // namespace gpy
