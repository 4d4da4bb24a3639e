#pragma once
// Arrays and scalars as text, with the interpreter's print options.

#include <string>

#include "src/array/arrays.h"

namespace gpy {

// What set_printoptions has of a script: the table `formatter` and the function `override_repr`, or
// None.
struct PrintHooks {
  Value formatter = Value::none(), override_repr = Value::none();
};
PrintHooks print_hooks(Interpreter& vm);
void set_print_hooks(Interpreter& vm, const PrintHooks& hooks);

// The function that a table of formatters has for a dtype; undefined where it has none.
Value formatter_for(Interpreter& vm, const Value& formatter, rt::DType dtype);

// The text of an array, which is `value`, by repr().
std::string array_repr_by_options(Interpreter& vm, const Value& value, const std::string& opening);
std::string array_str_by_options(Interpreter& vm, const Value& value);

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
