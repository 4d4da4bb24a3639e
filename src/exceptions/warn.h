#pragma once
// Warnings that natives give.

#include <string_view>

#include "grammar/source.h"
#include "src/interpreter.h"

namespace gpy {

// Warns about a line, from 1, of a source; null and 0 where there is none. Once a script has
// imported the module warnings, that module decides, and a warning that a filter makes an error is
// raised; until then each place warns once.
void warn_at(Interpreter& vm, Type* category, std::string_view message,
             const syntax::SourceFile* source, int line);

}  // namespace gpy
