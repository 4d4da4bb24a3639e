#pragma once
// matplotlib.pyplot, pylab and matplotlib.image: pictures in files and at the prompt.

#include "src/interpreter.h"

namespace gpy::lib {

void register_image_modules(Interpreter& vm);

}  // namespace gpy::lib
