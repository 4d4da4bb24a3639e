#pragma once
// Each function makes one of the number types; setup_numbers calls them.

namespace gpy {

class Interpreter;

void setup_int(Interpreter& vm);
void setup_bool(Interpreter& vm);  // after int, its base
void setup_float(Interpreter& vm);
void setup_complex(Interpreter& vm);

}  // namespace gpy
