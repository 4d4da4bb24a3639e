// super(class, self): attributes as found in the classes after `class` in self's resolution order.
// In a method, super() is lowered to super(__class__, first parameter).
#include "src/calls/args.h"
#include "src/classes/attributes.h"
#include "src/classes/class_slots.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/types/slot_methods.h"
#include "src/typed_native.h"
#include "src/state.h"
#include "src/types/setup.h"

namespace gpy {

namespace {

struct Super : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  explicit Super(Type* type) : Object(type) {}
  Ref<Type> from;
  Value self;
  Type* order = nullptr;  // the type whose resolution order is followed: self's, or self
};

}  // namespace

static Value make_super(Interpreter& vm, const Value&, const Value& type, const Value& object) {
  if (type.is_undefined()) {
    const Frame* frame = vm.state().frame;
    bool has_self = frame && frame->code->parameters.positional > 0;
    vm.raise_runtime_error("super(): {}", has_self ? "__class__ cell not found" : "no arguments");
  }
  Type* from = type.try_as<Type>();
  if (!from) {
    vm.raise_type_error("super() argument 1 must be a type, not {}", vm.type_name(type));
  }
  if (object.is_undefined()) vm.raise_type_error("super() takes a class and an object of it");
  auto made = vm.make<Super>(vm.types.super);
  made->from = Ref<Type>(from);
  made->self = object;
  Type* as_class = object.try_as<Type>();
  if (as_class && as_class->is_subclass_of(from)) {
    made->order = as_class;
  } else if (vm.is_instance(object, from)) {
    made->order = vm.type_of(object);
  } else {
    vm.raise_type_error("super(type, obj): obj must be an instance or subtype of type");
  }
  return made;
}

static Value bound(Interpreter& vm, const Super& self, const Value& attribute) {
  if (attribute.is<Getter>()) return attribute.as<Getter>()->get(vm, self.self);
  bool by_class = self.self.is_object() && self.self.as_object() == self.order;
  return bound_attribute(vm, attribute, by_class ? Value() : self.self, self.order);
}

static Value super_getattr(Interpreter& vm, const Value& value, Str* name) {
  const Super& self = *value.as<Super>();
  if (name == vm.state().names.__class__) return Value();
  bool past = false;
  for (Type* each : self.order->mro) {
    if (past) {
      if (const Value* found = each->lookup_own(name)) return bound(vm, self, *found);
      if (!each->is_class) {
        Value method = slot_method(vm, each, name);
        if (method.is_defined()) return bound(vm, self, method);
      }
    }
    past |= each == self.from.get();
  }
  return Value();
}

static std::string super_repr(Interpreter&, const Value& value) {
  const Super& self = *value.as<Super>();
  return fmt::format("<super: <class '{}'>, <{} object>>", self.from->name, self.order->name);
}

static void super_traverse(Object* object, Visit visit, void* context) {
  auto* self = static_cast<Super*>(object);
  visit(self->from.get(), context);
  if (self->self.is_object()) visit(self->self.as_object(), context);
}

static const Native kConstructor = {"super", "(cls, type=<omitted>, object=<omitted>, /)",
                                    typed<make_super>,
                                    "The object, with the methods of the classes behind its own."};

void setup_super(Interpreter& vm) {
  vm.types.super = vm.make_type<Super>(
      {.name = "super",
       .doc = "The object, with the methods of the classes behind its own.",
       .slots = {.repr = super_repr, .getattr = super_getattr, .traverse = super_traverse},
       .constructor = &kConstructor});
}

}  // namespace gpy
