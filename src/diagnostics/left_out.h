#pragma once
// Advice on names that scripts may know from Python or from earlier NumPys.

#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

// Advice on the name of a builtin; empty where nothing is known of it.
std::string left_out_name(std::string_view name);
// Advice on a module of Python's, or another that many scripts use.
std::string left_out_module(std::string_view name);
// Advice on an attribute that an object does not have.
std::string left_out_attribute(const Value& object, std::string_view name);

}  // namespace gpy
