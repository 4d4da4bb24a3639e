// Builtins that inspect a value: its types, attributes and identity.
#include <algorithm>

#include "src/builtins/rows.h"
#include "src/builtins/stands_for.h"
#include "src/classes/class_slots.h"
#include "src/objects/int.h"
#include "src/typed_native.h"
#include "src/types/generic_alias.h"
#include "src/types/union.h"

namespace gpy {

// --- isinstance, issubclass ----------------------------------------------------------------------

constexpr std::string_view kSubclassCheck = "__subclasscheck__";

bool stands_for(Interpreter& vm, Type* type, Type* wanted) {
  if (!type->is_class) return false;
  const Value* found = type->lookup(vm.intern(kStandsFor));
  if (!found) return false;
  const auto types = found->as<Tuple>()->items();
  return std::any_of(types.begin(), types.end(),
                     [&](const Value& each) { return each.as<Type>()->is_subclass_of(wanted); });
}

// A class method may decide what counts as a subclass of its class: those over abc.ABC do.
static bool counts_as(Interpreter& vm, Type* type, Type* wanted) {
  if (type->is_subclass_of(wanted)) return true;
  if (stands_for(vm, type, wanted)) return true;
  if (!wanted->is_class) return false;
  Str* name = vm.intern(kSubclassCheck);
  const Value* check = wanted->lookup(name);
  if (!check || vm.type_of(*check) != vm.types.class_method) return false;
  vm.check_stack();
  return vm.truth(vm.call(vm.get_attribute(Value(wanted), name), {Value(type)}));
}

// The builtin that asks, isinstance or issubclass, as messages name it and its second argument.
struct Question {
  std::string_view name, choices;
};

// An object that is no type may decide it too: typing.List does.
static bool counts_for(Interpreter& vm, Type* type, const Value& wanted, const Question& question) {
  const Value* check = find_special(vm, vm.type_of(wanted), kSubclassCheck);
  if (!check) vm.raise_type_error("{}() arg 2 must be {}", question.name, question.choices);
  return vm.truth(call_special(vm, *check, wanted, {Value(type)}));
}

static bool matches(Interpreter& vm, Type* type, const Value& wanted, const Question& question) {
  if (Type* one = wanted.try_as<Type>()) return counts_as(vm, type, one);
  if (is_generic_alias(wanted)) {
    vm.raise_type_error("{}() argument 2 cannot be a parameterized generic", question.name);
  }
  Tuple* several = union_members(wanted);
  if (!several) several = wanted.try_as<Tuple>();
  vm.check_stack();
  if (!several) return counts_for(vm, type, wanted, question);
  for (const Value& each : several->items()) {
    vm.poll();
    if (matches(vm, type, each, question)) return true;
  }
  return false;
}

static Value isinstance(Interpreter& vm, const Value& object, const Value& wanted) {
  return Value::boolean(matches(vm, vm.type_of(object), wanted,
                                {"isinstance", "a type, a tuple of types, or a union"}));
}

static Value issubclass(Interpreter& vm, const Value& cls, const Value& wanted) {
  if (!cls.is<Type>()) vm.raise_type_error("issubclass() arg 1 must be a class");
  return Value::boolean(matches(vm, cls.as<Type>(), wanted,
                                {"issubclass", "a class, a tuple of classes, or a union"}));
}

static Value callable(Interpreter& vm, const Value& object) {
  return Value::boolean(vm.is_callable(object));
}

// --- attributes ----------------------------------------------------------------------------------

static Str* attribute_name(Interpreter& vm, const Value& name) {
  if (const Str* text = name.try_as<Str>()) return vm.intern(text->view());
  vm.raise_type_error("attribute name must be string, not '{}'", vm.type_name(name));
}

// The attribute; undefined where there is none, also where its look-up raises AttributeError.
static Value find_attribute(Interpreter& vm, const Value& self, Str* name) {
  try {
    return vm.try_get_attribute(self, name);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.attribute_error)) throw;
    return Value();
  }
}

static Value get_attribute(Interpreter& vm, const Value& object, const Value& name,
                           const Value& fallback) {
  Str* wanted = attribute_name(vm, name);
  if (fallback.is_undefined()) return vm.get_attribute(object, wanted);
  Value found = find_attribute(vm, object, wanted);
  return found.is_defined() ? found : fallback;
}

static Value has_attribute(Interpreter& vm, const Value& object, const Value& name) {
  return Value::boolean(find_attribute(vm, object, attribute_name(vm, name)).is_defined());
}

static Value set_attribute(Interpreter& vm, const Value& object, const Value& name,
                           const Value& item) {
  vm.set_attribute(object, attribute_name(vm, name), item);
  return Value::none();
}

static Value delete_attribute(Interpreter& vm, const Value& object, const Value& name) {
  vm.delete_attribute(object, attribute_name(vm, name));
  return Value::none();
}

// --- identity ------------------------------------------------------------------------------------

static Value id(Interpreter& vm, const Value& v) {
  if (v.is_object())
    return Value::integer(static_cast<int64_t>(reinterpret_cast<uintptr_t>(v.as_object())));
  // Values that are no objects: equal values have the same number, far from any address.
  BigInt far = BigInt(static_cast<int>(v.tag()) + 1) << 64;
  return from_big(vm, far + BigInt(static_cast<uint64_t>(v.unchecked_integer())));
}

static Value hash(Interpreter& vm, const Value& v) { return Value::integer(vm.hash(v)); }

static const Native kRows[] = {
    {"callable", "(obj, /)", typed<callable>, "Whether it can be called."},
    {"delattr", "(obj, name, /)", typed<delete_attribute>, "del obj.name"},
    {"getattr", "(obj, name, default=<omitted>, /)", typed<get_attribute>,
     "obj.name, or the default if there is none."},
    {"hasattr", "(obj, name, /)", typed<has_attribute>,
     "Whether there is an attribute of that name."},
    {"hash", "(obj, /)", typed<hash>, "An int that equal values share."},
    {"id", "(obj, /)", typed<id>, "An int that tells this value from all others."},
    {"isinstance", "(obj, class_or_tuple, /)", typed<isinstance>,
     "Whether a value is of a type, or of one of several."},
    {"issubclass", "(cls, class_or_tuple, /)", typed<issubclass>,
     "Whether a type is a kind of another."},
    {"setattr", "(obj, name, value, /)", typed<set_attribute>, "obj.name = value"},
};

std::span<const Native> introspection_rows() { return kRows; }

}  // namespace gpy
