#pragma once
// Gives an interpreter its library: the modules that scripts import, and arrays.

#include <memory>

#include "runtime/session.h"

namespace gpy {
class Interpreter;
}

namespace gpy::lib {

// Adds arrays on the devices of a runtime that interpreters may share: numpy, cupy, gp and their
// parts. Called once for an interpreter, before it runs anything.
void attach_runtime(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime);

// Adds all modules: math, time, sys ..., and arrays on the devices of `runtime`. Without one, on
// those that GPY_DEVICE names (kValue for an unknown name), else on all there are.
void install(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime = nullptr);

}  // namespace gpy::lib
