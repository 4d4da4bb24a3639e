#pragma once
// A report: text that the prompt shows as it is, line by line.

#include <string>

#include "src/interpreter.h"

namespace gpy::lib {

Value make_text_object(Interpreter& vm, std::string text);

}  // namespace gpy::lib
