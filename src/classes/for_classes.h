#pragma once
// What a native type may have for the classes that scripts make over it: arrays' results take the
// class of the objects that they are made from.

#include "src/type.h"

namespace gpy {

struct Function;

struct ForClasses {
  Slots slots;  // that the slots of a class begin with
  // `made`, an object of the native type, as one of `type`, a class over it. `from`: the object
  // that it was made from, or None where a constructor made it.
  Value (*adopt)(Interpreter&, Type* type, const Value& made, const Value& from) = nullptr;
};

// How calls are done once a script has made a class that may have a say in them: one over such a
// type, or one with an __array_function__ or __array_ufunc__.
struct ClassCalls {
  // Runs a native.
  Value (*native)(Interpreter&, const Args&) = nullptr;
  // Runs a function that asks its arguments (Code::asks_arguments); undefined: not done.
  Value (*function)(Interpreter&, Function&, const CallArgs&) = nullptr;
};

// Null for most types.
const ForClasses* for_classes(const Type* native);
void set_for_classes(Type& native, ForClasses what);

// The slots that a class over the type begins with.
const Slots& slots_for_classes(const Type* native);

}  // namespace gpy
