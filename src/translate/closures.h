#pragma once
// A function that is defined inside of a function that is compiled.

#include <string>
#include <vector>

#include "grammar/ast.h"

namespace gpy {

struct LocalFunction {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<const syntax::Expr*> defaults;  // null: none
  syntax::StmtList body;
  const syntax::Expr* value = nullptr;  // of a lambda, which has no body
};

LocalFunction local_function(const syntax::FunctionDef& node);
LocalFunction local_function(const syntax::Lambda& node);

}  // namespace gpy
