#pragma once
// Arrays and scalars as text, with the interpreter's print options.

#include <string>

#include "src/array/arrays.h"

namespace gpy {

// `opening`: the name of the array's class, and "(".
std::string array_repr_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options,
                            const std::string& opening = "array(");
std::string array_str_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options);
// numpy.array2string
std::string array_to_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options,
                          const std::string& separator, size_t prefix, size_t suffix);
// The same with the text that `formatter` gives for each element shown.
std::string array_to_text(Arrays& state, const rt::Array& array, const rt::PrintOptions& options,
                          const std::string& separator, size_t prefix, size_t suffix,
                          const Value& formatter);

}  // namespace gpy
