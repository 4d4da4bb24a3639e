// The native part of abc: the methods that a type has.
#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/typed_native.h"
#include "src/types/slot_methods.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

// None in a class says that there is no such method.
static bool has_method(Interpreter& vm, Type& type, std::string_view name) {
  const Value* found = type.lookup(vm.intern(name));
  return found ? !found->is_none() : has_slot_method(type, name);
}

static Type& class_argument(Interpreter& vm, const Value& given) {
  Type* type = given.try_as<Type>();
  if (!type) vm.raise_type_error("issubclass() arg 1 must be a class");
  return *type;
}

static Value has_methods(Interpreter& vm, const Value& cls, std::span<const Value> names) {
  Type& type = class_argument(vm, cls);
  for (const Value& name : names) {
    if (!has_method(vm, type, vm.to_text(name))) return Value::boolean(false);
  }
  return Value::boolean(true);
}

static Value is_subclass(Interpreter& vm, const Value& cls, const Value& base) {
  Type& type = class_argument(vm, cls);
  return Value::boolean(type.is_subclass_of(&class_argument(vm, base)));
}

static const Native kRows[] = {
    {"has_methods", "(cls, /, *names)", typed<has_methods>,
     "Whether a type has all these methods."},
    {"is_subclass", "(cls, base, /)", typed<is_subclass>, "issubclass that asks no hooks."},
};

Value open__abc(Interpreter& vm) { return vm.make_module("_abc", kRows); }

}  // namespace gpy::lib
