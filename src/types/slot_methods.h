#pragma once
// The slots as methods, by Python's names for them: x.__len__(), int.__add__, hasattr(x,
// "__iter__"). No type stores these methods; they are made when they are looked up.

#include <string_view>

#include "src/value.h"

namespace gpy {

struct Str;

// The method of that name of objects of `type`, unbound; undefined if the type cannot do it.
Value slot_method(Interpreter& vm, Type* type, Str* name);
bool has_slot_method(const Type& type, std::string_view name);

}  // namespace gpy
