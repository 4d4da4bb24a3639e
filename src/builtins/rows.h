#pragma once
// The families of builtin functions; setup_builtins puts them together.

#include <span>

#include "src/interpreter.h"

namespace gpy {

std::span<const Native> output_rows();         // print, input
std::span<const Native> introspection_rows();  // isinstance, getattr, dir, ...
std::span<const Native> help_rows();           // help
std::span<const Native> iteration_rows();      // len, iter, sorted, sum, ...
std::span<const Native> number_rows();         // abs, round, pow, hex, ...
std::span<const Native> text_rows();           // repr, format, chr, ord, ...
std::span<const Native> namespace_rows();      // globals, vars, dir; exec and eval, refused
std::span<const Native> file_rows();           // open

void setup_quitters(Interpreter& vm);  // exit, quit

}  // namespace gpy
