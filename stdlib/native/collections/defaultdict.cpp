// collections.defaultdict: a dict that makes missing values.
#include "src/typed_native.h"
#include "stdlib/native/collections/collections.h"

namespace gpy::lib {

namespace {

struct DefaultDict : Dict {
  using Base = Dict;
  using Dict::Dict;
  Value factory = Value::none();
};

}  // namespace

static DefaultDict& default_of(const Value& v) { return *v.as<DefaultDict>(); }

static void fill(Interpreter& vm, DefaultDict& dict, const Value& factory, const Value& mapping,
                 const Value& kwargs) {
  if (!factory.is_none() && !vm.is_callable(factory)) {
    vm.raise_type_error("first argument must be callable or None");
  }
  dict.factory = factory;
  if (mapping.is_defined()) update_dict(vm, dict, mapping);
  update_dict(vm, dict, kwargs);
}

static Value make_defaultdict(Interpreter& vm, Type& cls, const Value& factory,
                              const Value& mapping, const Value& kwargs) {
  auto dict = vm.make<DefaultDict>(&cls);
  fill(vm, *dict, factory, mapping, kwargs);
  return dict;
}

static Value initialise(Interpreter& vm, DefaultDict& self, const Value& factory,
                        const Value& mapping, const Value& kwargs) {
  fill(vm, self, factory, mapping, kwargs);
  return Value::none();
}

static Value made_for(Interpreter& vm, DefaultDict& dict, const Value& key) {
  if (dict.factory.is_none()) vm.raise_key_error(key);
  Value factory = dict.factory;
  Value item = vm.call(factory);
  dict.set(vm, key, item);
  return item;
}

static Value default_getitem(Interpreter& vm, const Value& self, const Value& key) {
  DefaultDict& dict = default_of(self);
  if (Value* found = dict.find(vm, key)) return *found;
  if (!dict.type->is_class) return made_for(vm, dict, key);
  return vm.call_method(self, "__missing__", {key});  // a subclass may define its own
}

static Value missing(Interpreter& vm, DefaultDict& self, const Value& key) {
  return made_for(vm, self, key);
}

static Ref<DefaultDict> copied(Interpreter& vm, const Value& self) {
  DefaultDict& dict = default_of(self);
  auto copy = vm.make<DefaultDict>(dict.type);
  copy->factory = dict.factory;
  update_dict(vm, *copy, self);
  return copy;
}

static Value copy(Interpreter& vm, const Value& self) { return copied(vm, self); }

static Value reduce(Interpreter& vm, const Value& self) {
  const Value& factory = default_of(self).factory;
  Value arguments = factory.is_none() ? vm.tuple({}) : vm.tuple({factory});
  Value items = vm.iterate(vm.call_method(self, "items"));
  return vm.tuple({Value(vm.type_of(self)), arguments, Value::none(), Value::none(), items});
}

static std::string default_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "defaultdict(...)";
  DefaultDict& dict = default_of(self);
  std::string items = vm.repr(vm.call(Value(vm.types.dict), {self}));
  return fmt::format("{}({}, {})", dict.type->name, vm.repr(dict.factory), items);
}

static Value default_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op != BinaryOp::bit_or || !lhs.is<Dict>() || !rhs.is<Dict>()) return Value::not_implemented();
  bool left = vm.type_of(lhs)->slots.binary == default_binary;
  auto both = copied(vm, left ? lhs : rhs);
  if (!left) {
    both->clear();
    update_dict(vm, *both, lhs);
  }
  update_dict(vm, *both, rhs);
  return both;
}

static Value get_factory(Interpreter&, const Value& self) { return default_of(self).factory; }
static void set_factory(Interpreter&, const Value& self, const Value& item) {
  default_of(self).factory = item;
}

static void default_traverse(Object* self, Visit visit, void* context) {
  auto* dict = static_cast<DefaultDict*>(self);
  report(dict->factory, visit, context);
  if (auto slot = self->type->vm->types.dict->slots.traverse) slot(self, visit, context);
}

static const Native kMethods[] = {
    {"__init__", "(self, default_factory=None, mapping=<()>, /, **kwargs)", typed<initialise>,
     "Sets default_factory and puts the items in."},
    {"__copy__", "(self, /)", typed<copy>, "A defaultdict of the same items."},
    {"__reduce__", "(self, /)", typed<reduce>, "How it is made once more."},
    {"__missing__", "(self, key, /)", typed<missing>, "Puts default_factory() in for the key."},
    {"copy", "(self, /)", typed<copy>, "A defaultdict of the same items."},
    {"fromkeys", "(cls, iterable, value=None, /)", typed<dict_fromkeys>,
     "The keys, each with the same value.", Native::class_method},
};
static const NativeGetter kGetters[] = {
    {"default_factory", get_factory, set_factory, "What makes the value of a missing key."}};
static const Native kConstructor = {
    "defaultdict", "(cls, default_factory=None, mapping=<()>, /, **kwargs)",
    typed<make_defaultdict>,
    "A dict in which a missing key gets default_factory() when it is read."};

void add_defaultdict(Interpreter& vm, Module& module) {
  add_dict_type<DefaultDict>(vm, module,
                             {.slots = {.repr = default_repr,
                                        .getitem = default_getitem,
                                        .binary = default_binary,
                                        .traverse = default_traverse},
                              .methods = kMethods,
                              .getters = kGetters,
                              .constructor = &kConstructor});
}

}  // namespace gpy::lib
