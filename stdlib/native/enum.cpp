// The native part of enum: the type of enumerations, which can be iterated, searched and called as
// classes otherwise cannot. Its slots call class methods of _enum_classes.gpy, just as CLASS[...]
// calls __class_getitem__.
#include <algorithm>

#include "src/objects/builtin.h"
#include "src/calls/call.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/typed_native.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

static Value method_of(Interpreter& vm, const Value& self, const char* name) {
  return vm.get_attribute(self, name);
}

static Value ask(Interpreter& vm, const Value& self, const char* name,
                 std::initializer_list<Value> arguments = {}) {
  return vm.call(method_of(vm, self, name), arguments);
}

static std::string enum_repr(Interpreter& vm, const Value& self) {
  return vm.to_str(ask(vm, self, "__class_repr__"));
}

static bool enum_truth(Interpreter&, const Value&) { return true; }

static int64_t enum_length(Interpreter& vm, const Value& self) {
  return vm.to_index(ask(vm, self, "__class_len__"));
}

static bool enum_contains(Interpreter& vm, const Value& self, const Value& item) {
  return vm.truth(ask(vm, self, "__class_contains__", {item}));
}

static Value enum_iterate(Interpreter& vm, const Value& self) {
  return vm.iterate(ask(vm, self, "__class_iter__"));
}

static Value enum_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  return vm.call(method_of(vm, self, "__class_call__"), arguments);
}

static bool enum_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  if (item.is_undefined()) {
    ask(vm, self, "__class_delattr__", {Value(name)});
  } else {
    ask(vm, self, "__class_setattr__", {Value(name)});
  }
  return vm.types.type->slots.setattr(vm, self, name, item);
}

static Value enum_members(Interpreter& vm, const Value& self) {
  return ask(vm, self, "__class_members__");
}

static Value enum_reversed(Interpreter& vm, const Value& self) {
  std::vector<Value> members = vm.collect(self);
  std::reverse(members.begin(), members.end());
  return vm.iterate(vm.list(std::move(members)));
}

static const NativeGetter kGetters[] = {
    {"__members__", enum_members, nullptr, "The members by their names, aliases included."},
};

static const Native kMethods[] = {
    {"__reversed__", "(self, /)", typed<enum_reversed>, "The members, the last one first."},
};

static Type* class_argument(Interpreter& vm, const Value& given) {
  Type* type = given.try_as<Type>();
  if (type && type->is_class) return type;
  vm.raise_type_error("a class is needed, not '{}'", vm.type_name(given));
}

// Makes a class, and so all that derive from it, an enumeration.
static Value make_root(Interpreter& vm, const Value& cls, const Value& metatype) {
  Type* type = metatype.try_as<Type>();
  if (!type || !type->is_subclass_of(vm.types.type)) {
    vm.raise_type_error("a type of types is needed, not '{}'", vm.type_name(metatype));
  }
  class_argument(vm, cls)->type = type;
  return cls;
}

// Sets an attribute, a member's too.
static Value set_member(Interpreter& vm, const Value& cls, const Value& name, const Value& member) {
  class_argument(vm, cls)->set_attribute(vm.intern(vm.to_text(name)), member);
  return Value::none();
}

// The name of the module that called into the library.
static Value caller_module(Interpreter& vm) {
  const Frame* frame = script_frame(vm.state().frame);
  const Value* name = frame ? frame->function->globals->find(vm.state().names.__name__) : nullptr;
  return name ? *name : Value(vm.state().names.__main__);
}

static const Native kRows[] = {
    {"caller_module", "()", typed<caller_module>, "The module that called into the library."},
    {"make_root", "(cls, metatype, /)", typed<make_root>, "Makes a class an enumeration."},
    {"set_member", "(cls, name, member, /)", typed<set_member>,
     "Sets an attribute without asking."},
};

Value open__enum(Interpreter& vm) {
  Ref<Module> module = vm.make_module("_enum", kRows);
  const Slots& usual = vm.types.type->slots;
  Type* type = vm.make_type({.name = "EnumType",
                             .module = "enum",
                             .doc = "The type of enumerations.",
                             .base = vm.types.type,
                             .slots = {.repr = enum_repr,
                                       .truth = enum_truth,
                                       .length = enum_length,
                                       .contains = enum_contains,
                                       .iter = enum_iterate,
                                       .call = enum_call,
                                       .setattr = enum_setattr},
                             .methods = kMethods,
                             .getters = kGetters},
                            ObjectLayout::type, usual.destroy);
  module->set(vm, "EnumType", Value(type));
  return module;
}

}  // namespace gpy::lib
