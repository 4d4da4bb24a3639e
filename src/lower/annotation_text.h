#pragma once
// An expression as the text that CPython keeps of an annotation: one blank around operators,
// parentheses where they are needed, strings in single quotes.

#include <string>

#include "grammar/ast.h"

namespace gpy {

class Interpreter;

std::string annotation_text(Interpreter& vm, const syntax::SourceFile& source,
                            const syntax::Expr& node);

}  // namespace gpy
