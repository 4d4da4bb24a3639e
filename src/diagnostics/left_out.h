#pragma once
// Names that scripts may know from Python or from earlier NumPys, and what is written instead.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

// Of a builtin; empty: nothing is known of it.
std::string left_out_name(std::string_view name);
// Of a module of Python's, or another that scripts use much.
std::string left_out_module(std::string_view name);
// Of an attribute that an object does not have.
std::string left_out_attribute(const Value& object, std::string_view name);

}  // namespace gpy
