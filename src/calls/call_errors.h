#pragma once
// CPython's texts for calls whose arguments do not fit, shared by gpy functions and natives.

#include <string_view>
#include <vector>

#include "src/value.h"

namespace gpy {

using NameList = std::vector<std::string_view>;

// f() missing 2 required positional arguments: 'a' and 'b'
[[noreturn]] void raise_missing_arguments(Interpreter& vm, std::string_view function,
                                          std::string_view kind, const NameList& names);

struct TooMany {
  size_t least, most;     // positional arguments taken
  size_t given;           // positional ones
  size_t keywords_given;  // of keyword-only parameters
};
// f() takes from 1 to 2 positional arguments but 3 were given
[[noreturn]] void raise_too_many_arguments(Interpreter& vm, std::string_view function,
                                           TooMany count);

// f() got an unexpected keyword argument 'z'; `known` serves did-you-mean.
[[noreturn]] void raise_unexpected_keyword(Interpreter& vm, std::string_view function,
                                           std::string_view keyword, const NameList& known);
// The same as CPython's C functions word it.
[[noreturn]] void raise_invalid_keyword(Interpreter& vm, std::string_view function,
                                        std::string_view keyword, const NameList& known);
[[noreturn]] void raise_multiple_values(Interpreter& vm, std::string_view function,
                                        std::string_view name);
[[noreturn]] void raise_positional_only(Interpreter& vm, std::string_view function,
                                        const NameList& names);

}  // namespace gpy
