#pragma once

// A tree as text, for `gpy --ast FILE` and for tests: one node a line, indented below its parent.
//
//     BinOp @1:5-1:10 +
//       left: Name @1:5-1:6 x
//       right: Constant @1:9-1:10 1

#include <string>

#include "grammar/ast.h"

namespace gpy::syntax {

struct DumpOptions {
  bool positions = true;  // @line:column-line:column, the end exclusive
};

[[nodiscard]] std::string dump(const Tree& tree, const DumpOptions& options = {});

}  // namespace gpy::syntax
