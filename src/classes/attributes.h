#pragma once
// Attributes of the objects of classes: an Instance keeps its own; those of an object over a
// builtin type lie beside it.

#include "src/classes/instance.h"
#include "src/objects/exception.h"
#include "src/type.h"

namespace gpy {

constexpr uint16_t kFinalised = 1 << 15;  // in Object::flags: __del__ was called

// Whether a __slots__ (one name, or several) contains the name.
bool names_slot(Interpreter& vm, const Value& slots, Str* name);

// Slots of classes.
Value class_getattr(Interpreter& vm, const Value& self, Str* name);
bool class_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item);
void class_list_names(Interpreter& vm, const Value& self, std::vector<Str*>& names);

// The value of `instance.name` or, without an instance, of `owner.name` for an attribute that a
// type holds (src/operations/attribute.cpp).
Value bound_attribute(Interpreter& vm, const Value& attribute, const Value& instance, Type* owner);
// The result of get_attribute; undefined where that raises attribute_error itself.
Value find_attribute(Interpreter& vm, const Value& self, Str* name);
Ref<Exception> attribute_error(Interpreter& vm, const Value& self, Str* name);
// Like setattr without the class's own __setattr__ and __delattr__ (src/operations/attribute.cpp).
bool set_plainly(Interpreter& vm, const Value& self, Str* name, const Value& item);
// The new `__dict__` of an object; TypeError for what is no dict, and where it is deleted.
Ref<Dict> dict_to_set(Interpreter& vm, const Value& item);
// Sets an attribute of the object itself. False: the object takes no such attribute.
bool set_own_attribute(Interpreter& vm, const Value& self, Str* name, const Value& item);

}  // namespace gpy
