#pragma once
// property: an attribute that calls functions of its class.

#include "src/objects/function.h"
#include "src/value.h"

namespace gpy {

struct Property : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::property;
  explicit Property(Type* type) : Object(type) {}
  Value getter = Value::none(), setter = Value::none(), deleter = Value::none();
  Value doc = Value::none();

  // obj.name, obj.name = item, del obj.name (item undefined). AttributeError where it has no
  // function for that. A property of another type than `property` is the library's own: its slot
  // `bind` gets the attribute.
  Value get(Interpreter& vm, const Value& self, Str* name) const;
  void set(Interpreter& vm, const Value& self, Str* name, const Value& item) const;
};

}  // namespace gpy
