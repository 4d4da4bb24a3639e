#pragma once
// __eq__, __lt__, ... and __hash__ of a dataclass, and what they and its __init__ have in common.

#include <string>

#include "src/interpreter.h"

namespace gpy::lib {

// What stands for a function of a class: it shows itself as one and has a function's names.
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
