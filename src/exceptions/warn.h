#pragma once
// Warnings that natives give: the module warnings decides about them once a script has imported it.

#include <string_view>

#include "grammar/source.h"
#include "src/interpreter.h"

namespace gpy {

// True when the module has taken care of the warning of `place`; until it is imported, false. What
// a filter makes an error is raised.
bool warn_by_module(Interpreter& vm, Type* category, std::string_view message,
                    const Position& place);

// Of what stands in a source, before any of it runs.
void warn_of_source(Interpreter& vm, Type* category, std::string_view message,
                    const syntax::SourceFile& source, int line);

}  // namespace gpy
