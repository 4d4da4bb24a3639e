#pragma once
// What a function says of itself.

#include <string>
#include <string_view>
#include <vector>

#include "src/value.h"

namespace gpy {

std::vector<std::string_view> lines_of(std::string_view text);
// A docstring without the indentation of its source and without blank lines around it.
std::string clean_docstring(std::string_view doc);

// The docstring of a function, with the library's page on it below.
std::string documentation(Interpreter& vm, std::string_view own, std::string_view module,
                          std::string_view qualified_name);

// "(a, b=2, *args, key=None)"; "(...)" where nothing is known. A bound method's has no self.
std::string signature_of(Interpreter& vm, const Value& callable);
// "(self, x)" as "(x)": the first parameter is bound.
std::string without_first_parameter(std::string signature);

}  // namespace gpy
