#pragma once
// The names of Python's own modules, which gpy has some of.

#include <string_view>

namespace gpy {

bool is_standard_module(std::string_view name);  // top-level names
// Whether a file of that name beside a script comes first, as in CPython.
bool may_be_shadowed(std::string_view name);

}  // namespace gpy
