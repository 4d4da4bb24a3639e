#pragma once

// A compiled function as one that C can call.

#include <string>

#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// The variable that has its address.
std::string callback_name(const Function& function);
// Behind the program's text: its entry. Throws kType for parameters and results that C has not, and
// kNotImplemented for a program that prints: nobody is there to print for it.
std::string callback_text(const Program& program, const Type& result);

}  // namespace gpy::rt::typed
