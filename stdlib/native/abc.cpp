// The native part of abc: which methods a type has.
#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/types/slot_methods.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

// None in a class says that there is no such method.
static bool has_method(Interpreter& vm, Type& type, std::string_view name) {
  const Value* found = type.lookup(vm.intern(name));
  return found ? !found->is_none() : has_slot_method(type, name);
}

static Value has_methods(Interpreter& vm, Args args) {
  Type* type = args[0].try_as<Type>();
  if (!type) vm.raise_type_error("issubclass() arg 1 must be a class");
  for (const Value& name : args[1].as<Tuple>()->items()) {
    if (!has_method(vm, *type, vm.to_text(name))) return Value::boolean(false);
  }
  return Value::boolean(true);
}

static Value is_subclass(Interpreter& vm, Args args) {
  for (const Value& each : args) {
    if (!each.is<Type>()) vm.raise_type_error("issubclass() arg 1 must be a class");
  }
  return Value::boolean(args[0].as<Type>()->is_subclass_of(args[1].as<Type>()));
}

static const Native kRows[] = {
    {"has_methods", "(cls, /, *names)", has_methods, "Whether a type has all these methods."},
    {"is_subclass", "(cls, base, /)", is_subclass, "issubclass that asks no hooks."},
};

Value open__abc(Interpreter& vm) { return vm.make_module("_abc", kRows); }

}  // namespace gpy::lib
