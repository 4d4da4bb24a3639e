#pragma once
// The check of `self` for a type's methods: it has the layout that they read, however the method
// was found. `class A: f = str.upper` holds a method of str; numpy.float64 has float among its
// bases, but its objects are laid out in another way.

#include "src/objects/function.h"
#include "src/value.h"

namespace gpy {

// The usual case: an object of exactly the type that the method belongs to.
inline bool is_received(const NativeFunction& method, const Value& self) {
  return self.is_object() && self.as_object()->type == method.owner;
}

// The object as the method reads it: itself, or the float that a numpy.float64 is. TypeError for
// objects of other types.
Value receiver_of(Interpreter& vm, const NativeFunction& method, const Value& self);
// The same; undefined for other objects.
Value try_receiver_of(Interpreter& vm, const NativeFunction& method, const Value& self);
// Whether a method or getter of `owner` reads all objects of the type as they are.
bool reads(const Type* owner, const Type* type);
// Like receiver_of, for an object that is known to be an instance of the type.
Value laid_out_as(Interpreter& vm, const Type* owner, const Value& self);
// TypeError where the method is taken from an object of another type.
void check_binds(Interpreter& vm, const NativeFunction& method, const Value& instance);
[[noreturn]] void raise_no_receiver(Interpreter& vm, const NativeFunction& method);

}  // namespace gpy
