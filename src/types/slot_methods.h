#pragma once
// What slots do, by the names that Python has for it: x.__len__(), int.__add__, hasattr(x,
// "__iter__"). No type stores these; they are made when asked for.

#include <string_view>

#include "src/value.h"

namespace gpy {

struct Str;

// The method of that name of objects of `type`, unbound; undefined if the type cannot do it.
Value slot_method(Interpreter& vm, Type* type, Str* name);
bool has_slot_method(const Type& type, std::string_view name);

}  // namespace gpy
