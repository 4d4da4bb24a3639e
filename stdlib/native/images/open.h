#pragma once
// _canvas: what matplotlib, which is written in gpy, needs of C++.

#include "src/interpreter.h"

namespace gpy::lib {

void register_canvas_module(Interpreter& vm);

// The rows of its parts: contours, files, and what a terminal shows.
std::span<const Native> contour_rows();
std::span<const Native> picture_file_rows();
std::span<const Native> terminal_rows();

}  // namespace gpy::lib
