// CLASS(...): __new__ and __init__, of the script's or of the builtin type underneath.
#include "src/calls/args.h"
#include "src/classes/class_slots.h"
#include "src/classes/for_classes.h"
#include "src/classes/instance.h"
#include "src/classes/make_class.h"
#include "src/interpreter.h"
#include "src/objects/containers.h"
#include "src/objects/int.h"
#include "src/run/run.h"
#include "src/state.h"

namespace gpy {

// --- objects over builtin types ------------------------------------------------------------------

static void become(Object* object, Type* type) {
  if (object->type->is_class) release(object->type);
  object->type = type;
  retain(type);
}

static Value copied_tuple(Interpreter& vm, Type* type, Tuple& tuple) {
  Ref<Tuple> copy = Tuple::make_uninitialised(vm, tuple.size);
  std::copy(tuple.items().begin(), tuple.items().end(), copy->items().begin());
  become(copy.get(), type);
  return copy;
}

static Value copied_set(Interpreter& vm, Type* type, Set& set) {
  Ref<Set> copy = vm.set(true);
  copy->merge(vm, set);
  become(copy.get(), type);
  return copy;
}

// Copies a value that cannot change: others may refer to it, and the collector tracks all objects
// of a class, but not all of these.
static Value copied(Interpreter& vm, Type* type, const Value& made) {
  if (auto* tuple = made.try_as<Tuple>()) return copied_tuple(vm, type, *tuple);
  if (auto* text = made.try_as<Str>()) return Str::make_of(type, text->view());
  if (auto* bytes = made.try_as<Bytes>()) return vm.make<Bytes>(type, bytes->data);
  if (auto* set = made.try_as<Set>()) return copied_set(vm, type, *set);
  return vm.make<Int>(type, to_big(made));
}

Value adopt(Interpreter& vm, Type* type, Value made) {
  if (vm.type_of(made) == type) return made;
  if (const ForClasses* known = for_classes(native_base(type))) {
    return known->adopt(vm, type, made, Value::none());
  }
  const bool is_fresh = made.is_object() && made.as_object()->refs == 1 &&
                        made.as_object()->layout == type->instance_layout;
  if (!is_fresh || !native_base(type)->slots.traverse || made.is<Tuple>()) {
    return copied(vm, type, made);
  }
  become(made.as_object(), type);
  return made;
}

static Value call_constructor(Interpreter& vm, Type* native, Type* type,
                              const CallArgs& arguments) {
  if (!native->constructor) {
    vm.raise_type_error("cannot create '{}' instances", type->full_name());
  }
  if (!native->constructor_function) {
    native->constructor_function = vm.make<NativeFunction>(
        vm.types.native_function, *native->constructor, std::string(), nullptr);
    native->constructor_function->is_method = true;
  }
  return call_native(vm, *native->constructor_function, Value(type), arguments);
}

// A native type's method "__init__", which fills what its constructor made empty; null without one.
static const Value* native_initialiser(Interpreter& vm, Type* native) {
  return native == vm.types.object ? nullptr : native->lookup(vm.state().names.__init__);
}

// Whether objects are made empty for __init__ to fill; exceptions keep the constructor's arguments.
static bool fills_later(Interpreter& vm, Type* native) {
  const Types& t = vm.types;
  return native == t.list || native == t.dict || native == t.set || native_initialiser(vm, native);
}

static const Value* own_method(Type* type, Str* name) {
  for (Type* each : type->mro) {
    if (!each->is_class) continue;
    if (const Value* found = each->attributes->find(name)) return found;
  }
  return nullptr;
}

static Value make_instance(Interpreter& vm, Type* type, const CallArgs& arguments) {
  bool given = arguments.positional || !arguments.names.empty();
  if (given && !own_method(type, vm.state().names.__init__)) {
    vm.raise_type_error("{}() takes no arguments", type->name);
  }
  return Instance::make(type);
}

Value make_natively(Interpreter& vm, Type* type, const CallArgs& arguments) {
  Type* native = native_base(type);
  if (!type->is_class) return call_constructor(vm, native, type, arguments);
  if (native == vm.types.object) return make_instance(vm, type, arguments);
  bool is_exception = native->is_subclass_of(vm.types.base_exception);
  if (fills_later(vm, native)) return adopt(vm, type, call_constructor(vm, native, native, {}));
  CallArgs taken = arguments;
  if (is_exception && own_method(type, vm.state().names.__init__)) taken.names = {};
  return adopt(vm, type, call_constructor(vm, native, is_exception ? type : native, taken));
}

static void refill(Interpreter& vm, const Value& self, const Value& made) {
  if (auto* list = self.try_as<List>()) {
    std::swap(list->items, made.as<List>()->items);
  } else if (auto* dict = self.try_as<Dict>()) {
    for (auto& entry : made.as<Dict>()->entries()) {
      if (entry.key.is_defined()) dict->set(vm, entry.key, entry.value);
    }
  } else if (auto* set = self.try_as<Set>()) {
    set->swap_items(*made.as<Set>());
  }
}

void initialise_natively(Interpreter& vm, Type* native, const Value& self,
                         const CallArgs& arguments) {
  if (auto* exception = self.try_as<Exception>()) {
    exception->args = Tuple::make(vm, arguments.positionals());
    return;
  }
  if (const Value* initialiser = native_initialiser(vm, native)) {
    call_with_first(vm, Value(*initialiser), self, arguments);
    return;
  }
  if (fills_later(vm, native)) {
    return refill(vm, self, call_constructor(vm, native, native, arguments));
  }
  bool given = arguments.positional || !arguments.names.empty();
  if (!given || native != vm.types.object) return;
  Type* type = vm.type_of(self);
  if (own_method(type, vm.state().names.__init__)) {
    vm.raise_type_error(
        "object.__init__() takes exactly one argument (the instance to initialize)");
  }
  if (own_method(type, vm.state().names.__new__)) return;
  vm.raise_type_error("{}.__init__() takes exactly one argument (the instance to initialize)",
                      type->name);
}

// --- the protocol --------------------------------------------------------------------------------

static void initialise(Interpreter& vm, Type* type, const Value& self, const CallArgs& arguments) {
  const Value* method = own_method(type, vm.state().names.__init__);
  if (!method) {
    Type* native = native_base(type);
    if (fills_later(vm, native)) initialise_natively(vm, native, self, arguments);
    return;
  }
  Value answer = call_special(vm, *method, self, arguments);
  if (answer.is_none()) return;
  vm.raise_type_error("__init__() should return None, not '{}'", vm.type_name(answer));
}

static Value call_maker(Interpreter& vm, const Value& maker, Type* type,
                        const CallArgs& arguments) {
  Value function = maker.is<StaticMethod>() ? maker.as<StaticMethod>()->function : maker;
  return call_with_first(vm, function, Value(type), arguments);
}

Value make_object(Interpreter& vm, Type* type, const CallArgs& arguments) {
  if (!type->is_class) return make_natively(vm, type, arguments);
  const Value* maker = own_method(type, vm.state().names.__new__);
  Value self =
      maker ? call_maker(vm, Value(*maker), type, arguments) : make_natively(vm, type, arguments);
  if (vm.is_instance(self, type)) initialise(vm, vm.type_of(self), self, arguments);
  return self;
}

}  // namespace gpy
