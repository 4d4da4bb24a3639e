#pragma once

// A compiled function as one that C can call.

#include <string>

#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// The variable that has its address.
std::string callback_name(const Function& function);
// Behind the program's text. Throws kType for parameters and results that C has not.
std::string callback_text(const Function& function, const Type& result);

}  // namespace gpy::rt::typed
