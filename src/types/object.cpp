// The types `object` and `type`: the attributes of every value, and calls of types.
#include "src/calls/args.h"
#include "src/classes/attributes.h"
#include "src/classes/class_slots.h"
#include "src/classes/make_class.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/types/generic_alias.h"
#include "src/types/slot_methods.h"
#include "src/state.h"
#include "src/typed_native.h"
#include "src/types/setup.h"

namespace gpy {

struct PlainObject : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  using Object::Object;
};

// --- object --------------------------------------------------------------------------------------

static std::string object_repr(Interpreter& vm, const Value& self) {
  auto address = reinterpret_cast<uintptr_t>(self.is_object() ? self.as_object() : nullptr);
  return fmt::format("<{} object at 0x{:x}>", vm.type_of(self)->shown_name(), address);
}

static int64_t object_hash(Interpreter&, const Value& self) {
  auto address = reinterpret_cast<uintptr_t>(self.is_object() ? self.as_object() : nullptr);
  return static_cast<int64_t>(address >> 4);
}

static Value object_class(Interpreter& vm, const Value& self) { return Value(vm.type_of(self)); }

static void refuse_class(Interpreter& vm, const Value&, const Value&) {
  vm.raise_type_error("gpy leaves out assigning __class__: make a new object of the other class");
}

static Value object_doc(Interpreter& vm, const Value& self) {
  const char* doc = vm.type_of(self)->doc;
  return doc ? vm.str(doc) : Value::none();
}

static const NativeGetter kObjectGetters[] = {
    {"__class__", object_class, refuse_class, "The object's type."},
    {"__doc__", object_doc, nullptr, "What it is for."},
};

static Value make_plain_object(Interpreter& vm, Type& type) { return vm.make<PlainObject>(&type); }

static const Native kMakeObject = {"object", "(type, /)", typed<make_plain_object>,
                                   "A value with no features."};

// --- type ----------------------------------------------------------------------------------------

static std::string type_repr(Interpreter&, const Value& self) {
  return fmt::format("<class '{}'>", self.as<Type>()->shown_name());
}

static Value type_getattr(Interpreter& vm, const Value& self, Str* name) {
  Type* type = self.as<Type>();
  const Value* known = type->lookup(name);
  const Value found = known ? *known : slot_method(vm, type, name);
  return bound_attribute(vm, found, Value(), type);
}

static void check_settable(Interpreter& vm, const Type* type, std::string_view name) {
  if (type->is_class) return;
  vm.raise_type_error("cannot set '{}' attribute of immutable type '{}'", name, type->full_name());
}

static bool type_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  Type* type = self.as<Type>();
  check_settable(vm, type, name->view());
  if (item.is_undefined() && !type->attributes->find(name)) return false;
  if (item.is_defined() && name->view().starts_with("__")) refuse_left_out(vm, name);
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

static Ref<Dict> keywords_of(Interpreter& vm, const CallArgs& arguments) {
  Ref<Dict> keywords = vm.dict();
  for (size_t i = 0; i < arguments.names.size(); ++i) {
    keywords->set(arguments.names[i], arguments.keyword(i));
  }
  return keywords;
}

// type(name, bases, names, **keywords)
static Value make_type_by_call(Interpreter& vm, const CallArgs& arguments) {
  const Value* values = arguments.values;
  std::string name(vm.to_text(values[0], "type.__new__() argument 1"));
  Tuple* bases = values[1].try_as<Tuple>();
  Dict* names = values[2].try_as<Dict>();
  if (!bases) {
    vm.raise_type_error("type.__new__() argument 2 must be tuple, not {}", vm.type_name(values[1]));
  }
  if (!names) {
    vm.raise_type_error("type.__new__() argument 3 must be dict, not {}", vm.type_name(values[2]));
  }
  Ref<Dict> own = names->copy();
  Str* module = vm.state().names.__module__;
  const Frame* frame = vm.state().frame;
  Value* home = frame ? frame->function->globals->find(vm.state().names.__name__) : nullptr;
  if (home && !own->find(module)) own->set(module, *home);
  return make_class(vm, name, bases->items(), std::move(own), keywords_of(vm, arguments).get());
}

static Value type_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  Type* type = self.as<Type>();
  if (type != vm.types.type) return make_object(vm, type, arguments);
  if (arguments.positional == 3) return make_type_by_call(vm, arguments);
  if (arguments.positional != 1) vm.raise_type_error("type() takes 1 or 3 arguments");
  if (!arguments.names.empty()) vm.raise_type_error("type() takes no keyword arguments");
  return Value(vm.type_of(arguments.values[0]));
}

static Value type_getitem(Interpreter& vm, const Value& self, const Value& key) {
  Type* type = self.as<Type>();
  if (type == vm.types.type) return make_generic_alias(vm, self, key);
  if (const Value* own = type->lookup(vm.state().names.__class_getitem__)) {
    return vm.call(bound_attribute(vm, *own, Value(), type), {key});
  }
  vm.raise_type_error("type '{}' is not subscriptable", type->full_name());
}

// --- what a type says of itself ------------------------------------------------------------------

static Value type_name_of(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Type>()->name);
}
static void set_type_name(Interpreter& vm, const Value& self, const Value& item) {
  check_settable(vm, self.as<Type>(), "__name__");
  const std::string_view name = vm.to_text(item, "__name__");
  check_class_name(vm, name);
  self.as<Type>()->name = name;
}

static Value type_qualified_name(Interpreter& vm, const Value& self) {
  Type* type = self.as<Type>();
  return vm.str(type->is_class ? type->qualified_name : type->name);
}
static void set_type_qualified_name(Interpreter& vm, const Value& self, const Value& item) {
  check_settable(vm, self.as<Type>(), "__qualname__");
  self.as<Type>()->qualified_name = vm.to_text(item, "__qualname__");
}

static Value own_name(Type* type, Str* name) {
  Value* found = type->attributes->find(name);
  return found ? *found : Value::none();
}

static Value type_module(Interpreter& vm, const Value& self) {
  Type* type = self.as<Type>();
  return type->is_class ? own_name(type, vm.state().names.__module__) : vm.str(type->module);
}
static void set_type_module(Interpreter& vm, const Value& self, const Value& item) {
  check_settable(vm, self.as<Type>(), "__module__");
  self.as<Type>()->set_attribute(vm.state().names.__module__, item);
}

static Value type_doc(Interpreter& vm, const Value& self) {
  Type* type = self.as<Type>();
  if (type->is_class) return own_name(type, vm.state().names.__doc__);
  return type->doc ? vm.str(type->doc) : Value::none();
}
static void set_type_doc(Interpreter& vm, const Value& self, const Value& item) {
  check_settable(vm, self.as<Type>(), "__doc__");
  self.as<Type>()->set_attribute(vm.state().names.__doc__, item);
}

// A class's own annotations; undefined for builtin types.
static Value type_annotations(Interpreter& vm, const Value& self) {
  Type* type = self.as<Type>();
  if (!type->is_class) return Value();
  Str* key = vm.state().names.__annotations__;
  if (!type->attributes->find(key)) type->set_attribute(key, vm.dict());
  return *type->attributes->find(key);
}
static void set_type_annotations(Interpreter& vm, const Value& self, const Value& item) {
  check_settable(vm, self.as<Type>(), "__annotations__");
  self.as<Type>()->set_attribute(vm.state().names.__annotations__, item);
}

// A copy: writing to it does not change the class.
static Value type_dict(Interpreter& vm, const Value& self) {
  self.as<Type>()->lookup_own(vm.state().names.__doc__);
  return self.as<Type>()->attributes->copy();
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
  std::vector<Value> bases;
  for (Type* each : self.as<Type>()->bases) bases.push_back(Value(each));
  return vm.tuple(bases);
}

static Value type_subclasses(Interpreter& vm, Type& self) {
  std::vector<Value> subclasses;
  for (Type* each : self.subclasses) subclasses.push_back(Value(each));
  return vm.list(std::move(subclasses));
}

static Value type_order(Interpreter& vm, const Value& self) {
  Value order = type_mro(vm, self);
  return vm.list({order.as<Tuple>()->items().begin(), order.as<Tuple>()->items().end()});
}

static const Native kTypeMethods[] = {
    {"__subclasses__", "(self, /)", typed<type_subclasses>, "The classes made from it."},
    {"mro", "(self, /)", typed<type_order>, "The order in which attributes are looked for."},
};

static const NativeGetter kTypeGetters[] = {
    {"__name__", type_name_of, set_type_name},
    {"__qualname__", type_qualified_name, set_type_qualified_name},
    {"__module__", type_module, set_type_module},
    {"__doc__", type_doc, set_type_doc},
    {"__annotations__", type_annotations, set_type_annotations},
    {"__dict__", type_dict},
    {"__mro__", type_mro},
    {"__base__", type_base},
    {"__bases__", type_bases},
};

// Builtin types are destroyed by the interpreter.
static void end_type(Object* self) {
  auto* type = static_cast<Type*>(self);
  if (!type->is_class) return;
  Heap& heap = type->vm->heap;
  type->~Type();
  heap.free(type, sizeof(Type));
}

static void type_traverse(Object* self, Visit visit, void* context) {
  auto* type = static_cast<Type*>(self);
  if (type->attributes) visit(type->attributes.get(), context);
  if (!type->is_class) return;
  for (Type* base : type->bases) visit(base, context);
  if (type->constructor_function) visit(type->constructor_function.get(), context);
}

void setup_object(Interpreter& vm) {
  vm.types.type = vm.make_type({.name = "type",
                                .doc = "type(object) gives the object's type.",
                                .slots = {.repr = type_repr,
                                          .hash = object_hash,
                                          .getitem = type_getitem,
                                          .call = type_call,
                                          .getattr = type_getattr,
                                          .setattr = type_setattr,
                                          .list_names = type_list_names,
                                          .traverse = type_traverse},
                                .methods = kTypeMethods,
                                .getters = kTypeGetters},
                               ObjectLayout::type, end_type);
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
