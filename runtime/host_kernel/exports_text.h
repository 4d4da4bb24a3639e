#pragma once

// What the object of a kernel text shows of it besides its kernels: variables.

#include <string>

namespace gpy::rt {

// The name in symbols of a kernel or of an instance: "f<float>" -> "f_3cfloat_3e".
std::string kernel_symbol(const std::string& name);
// The function `void* NAME(unsigned long long* bytes)` that gives a variable's address.
std::string variable_symbol(const std::string& name);

// The text that defines those functions, for the end of a kernel text.
std::string exports_text(const std::string& source);

}  // namespace gpy::rt
