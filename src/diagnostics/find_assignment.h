#pragma once
// The assignments of a variable, as far as the text of the source tells.

#include <vector>

#include "grammar/ast.h"

namespace gpy {

// The expressions assigned to the name of that place, in the function around it or else in the
// module. The last one before the place comes first, then those before it, then those behind the
// place (of an earlier turn of a loop); null stands for what is not a single expression.
std::vector<const syntax::Expr*> find_assigned(const syntax::Tree& tree, const syntax::Name& place);

}  // namespace gpy
