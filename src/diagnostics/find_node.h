#pragma once
// The nodes of a tree that a place in the source belongs to.

#include <vector>

#include "grammar/ast.h"

namespace gpy {

struct NodePath {
  const syntax::Stmt* statement = nullptr;       // the innermost
  std::vector<const syntax::Expr*> expressions;  // in it, outermost first
};

// The way to the expression, or else the statement, that is read from exactly `span`; empty where
// there is none.
NodePath find_node(const syntax::Tree& tree, syntax::Span span);

}  // namespace gpy
