// The types `object` and `type`: what every value can do, and calling a type.
#include "src/args.h"
#include "src/interpreter.h"
#include "src/slot_methods.h"
#include "src/state.h"
#include "src/types/setup.h"

namespace gpy {

struct PlainObject : Object {
  static constexpr Layout kLayout = Layout::plain;
  using Object::Object;
};

// --- object --------------------------------------------------------------------------------------

static std::string object_repr(Interpreter& vm, const Value& self) {
  auto address = reinterpret_cast<uintptr_t>(self.is_object() ? self.as_object() : nullptr);
  return fmt::format("<{} object at 0x{:x}>", vm.type_of(self)->full_name(), address);
}

static int64_t object_hash(Interpreter&, const Value& self) {
  auto address = reinterpret_cast<uintptr_t>(self.as_object());
  return static_cast<int64_t>(address >> 4);
}

static Value object_class(Interpreter& vm, const Value& self) { return Value(vm.type_of(self)); }

static Value object_doc(Interpreter& vm, const Value& self) {
  const char* doc = vm.type_of(self)->doc;
  return doc ? vm.str(doc) : Value::none();
}

static const NativeGetter kObjectGetters[] = {
    {"__class__", object_class, nullptr, "The object's type."},
    {"__doc__", object_doc, nullptr, "What it is for."},
};

static Value make_object(Interpreter& vm, Args args) {
  return vm.make<PlainObject>(args[0].as<Type>());
}

static const Native kMakeObject = {"object", "(type, /)", make_object, "A value with no features."};

// --- type ----------------------------------------------------------------------------------------

static std::string type_repr(Interpreter&, const Value& self) {
  return fmt::format("<class '{}'>", self.as<Type>()->full_name());
}

static Value type_getattr(Interpreter& vm, const Value& self, Str* name) {
  const Value* found = self.as<Type>()->lookup(name);
  if (!found) return slot_method(vm, self.as<Type>(), name);
  auto bind = found->is_object() ? found->as_object()->type->slots.bind : nullptr;
  return bind ? bind(vm, *found, Value(), self.as<Type>()) : *found;
}

static bool type_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  Type* type = self.as<Type>();
  if (!type->is_class) {
    vm.raise_type_error("cannot set '{}' attribute of immutable type '{}'", name->view(),
                        type->full_name());
  }
  type->set_attribute(name, item);
  return true;
}

static void type_list_names(Interpreter& vm, const Value& self, std::vector<Str*>& names) {
  for (Type* type : self.as<Type>()->mro) {
    type->lookup(vm.state().names.__doc__);
    for (auto& entry : type->attributes->entries()) {
      if (entry.key.is<Str>()) names.push_back(entry.key.as<Str>());
    }
  }
}

static Value type_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  Type* type = self.as<Type>();
  if (type == vm.types.type) {
    if (arguments.positional == 1 && arguments.names.empty()) {
      return Value(vm.type_of(arguments.values[0]));
    }
    vm.raise_type_error("type() takes 1 argument");
  }
  if (!type->constructor) vm.raise_type_error("cannot create '{}' instances", type->full_name());
  if (!type->constructor_function) {
    type->constructor_function = vm.make<NativeFunction>(
        vm.types.native_function, *type->constructor, std::string(), nullptr);
    type->constructor_function->is_method = true;
  }
  return call_native(vm, *type->constructor_function, self, arguments);
}

// list[int] in an annotation is list: what stands in the brackets is not kept.
static Value type_getitem(Interpreter& vm, const Value& self, const Value&) {
  const Types& t = vm.types;
  for (Type* generic : {t.list, t.tuple, t.dict, t.set, t.frozenset, t.type}) {
    if (self.as<Type>() == generic) return self;
  }
  vm.raise_type_error("type '{}' is not subscriptable", self.as<Type>()->full_name());
}

static Value type_name_of(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Type>()->name);
}
static Value type_module(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Type>()->module);
}

static Value type_doc(Interpreter& vm, const Value& self) {
  const char* doc = self.as<Type>()->doc;
  return doc ? vm.str(doc) : Value::none();
}

static Value type_mro(Interpreter& vm, const Value& self) {
  std::vector<Value> types;
  for (Type* type : self.as<Type>()->mro) types.push_back(Value(type));
  return vm.tuple(types);
}

static Value type_base(Interpreter&, const Value& self) {
  Type* base = self.as<Type>()->base;
  return base ? Value(base) : Value::none();
}

static Value type_bases(Interpreter& vm, const Value& self) {
  Type* base = self.as<Type>()->base;
  return base ? vm.tuple({Value(base)}) : vm.tuple({});
}

static const NativeGetter kTypeGetters[] = {
    {"__name__", type_name_of}, {"__qualname__", type_name_of}, {"__module__", type_module},
    {"__doc__", type_doc},      {"__mro__", type_mro},          {"__base__", type_base},
    {"__bases__", type_bases},
};

static void end_nothing(Object*) {}

void setup_object(Interpreter& vm) {
  vm.types.type = vm.make_type({.name = "type",
                                .doc = "type(object) gives the object's type.",
                                .slots = {.repr = type_repr,
                                          .hash = object_hash,
                                          .getitem = type_getitem,
                                          .call = type_call,
                                          .getattr = type_getattr,
                                          .setattr = type_setattr,
                                          .list_names = type_list_names},
                                .getters = kTypeGetters},
                               Layout::type, end_nothing);
  vm.types.type->type = vm.types.type;
  vm.types.object = vm.make_type<PlainObject>({.name = "object",
                                               .doc = "The base of every type.",
                                               .slots = {.repr = object_repr, .hash = object_hash},
                                               .getters = kObjectGetters,
                                               .constructor = &kMakeObject,
                                               .is_final = false});
  vm.types.type->base = vm.types.object;
  vm.types.type->mro.push_back(vm.types.object);
}

}  // namespace gpy
