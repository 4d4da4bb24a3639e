#pragma once
// __eq__, __lt__, ... and __hash__ of a dataclass, and the common base of them and its __init__.

#include <string>

#include "src/interpreter.h"

namespace gpy::lib {

// An object that replaces a function of a class: it has a function's repr and names.
struct DataclassMethod : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
  std::string name;  // "Point.__eq__"
};
std::string method_repr(Interpreter& vm, const Value& self);
extern const NativeGetter kMethodGetters[3];

// The type field_method(name, fields, /): name is "Point.__eq__".
Type* make_field_method_type(Interpreter& vm);

}  // namespace gpy::lib
