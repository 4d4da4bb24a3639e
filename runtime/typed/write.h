#pragma once

// The typed form as C++ text, one text for NVRTC and for the system's compiler.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// The namespace that all of the text stands in.
inline constexpr const char* kNamespace = "gpy_typed";

// "f64", "View<f32, 2>", "Tuple<i64, f64>": the C++ type of a value, inside the namespace.
std::string cpp_type(const Type& type);

// The program's functions in kNamespace, and what they use of the support text. So does `behind`,
// which is to stand behind them. The first function is
//
//   R SYMBOL(T0 v0, T1 v1, ..., O0& v2, ...)
//
// with its parameters by value and its outputs by reference. #line directives name each statement's
// place in the script.
//
// `one_thread`: no other thread stores to the arrays while it runs.
// `checked`: the accesses to arrays are checked (kernel/checks), and the names of arrays are added
// here. The text is then to be read behind check_text().
std::string program_text(const Program& program, std::string_view behind, bool one_thread = false,
                         std::vector<std::string>* checked = nullptr);

}  // namespace gpy::rt::typed
