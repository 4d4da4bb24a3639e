// collections.OrderedDict: a dict whose order can be changed, and counts in comparisons.
#include "src/typed_native.h"
#include "stdlib/native/collections/collections.h"

namespace gpy::lib {

static Dict& dict_of(const Value& v) { return *v.as<Dict>(); }

// Sets the items as the class of `self` does.
static void fill(Interpreter& vm, const Value& self, const Value& mapping, const Value& kwargs) {
  Ref<Dict> items = vm.dict();
  if (mapping.is_defined()) update_dict(vm, *items, mapping);
  update_dict(vm, *items, kwargs);
  each_entry(*items, [&](const Value& key, const Value& item) { vm.set_item(self, key, item); });
}

static Value make_ordered(Interpreter& vm, Type& cls, const Value& mapping, const Value& kwargs) {
  Value dict = vm.make<Dict>(&cls);
  fill(vm, dict, mapping, kwargs);
  return dict;
}

static Value initialise(Interpreter& vm, const Value& self, const Value& mapping,
                        const Value& kwargs) {
  fill(vm, self, mapping, kwargs);
  return Value::none();
}

static void move_to_front(Interpreter& vm, Dict& dict, const Value& key, const Value& value) {
  std::vector<Dict::Entry> rest(dict.entries().begin(), dict.entries().end());
  dict.clear();
  dict.set(vm, key, value);
  for (auto& entry : rest) {
    if (entry.key.is_defined()) dict.set(vm, entry.key, entry.value);
  }
}

static Value move_to_end(Interpreter& vm, Dict& self, const Value& key, const Value& last) {
  Value value;
  if (!self.erase(vm, key, &value)) vm.raise_key_error(key);
  if (vm.truth(last)) {
    self.set(vm, key, value);
  } else {
    move_to_front(vm, self, key, value);
  }
  return Value::none();
}

static Value popitem(Interpreter& vm, Dict& self, bool last) {
  if (self.size() == 0) {
    vm.raise(vm.make_exception(vm.types.key_error, {vm.str("dictionary is empty")}));
  }
  auto entries = self.entries();
  size_t i = last ? entries.size() - 1 : 0;
  while (entries[i].key.is_undefined()) ++i;
  Value key = entries[i].key;
  Value item = vm.tuple({key, entries[i].value});
  self.erase(vm, key);
  return item;
}

static Value copy(Interpreter& vm, const Value& self) {
  auto made = vm.make<Dict>(vm.type_of(self));
  update_dict(vm, *made, self);
  return made;
}

static Value reduce(Interpreter& vm, const Value& self) {
  Value items = vm.iterate(vm.call_method(self, "items"));
  return vm.tuple(
      {Value(vm.type_of(self)), vm.tuple({}), attributes_or_none(vm, self), Value::none(), items});
}

static std::string ordered_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "...";
  Dict& dict = dict_of(self);
  if (dict.size() == 0) return dict.type->name + "()";
  std::string text = dict.type->name + "([";
  bool first = true;
  each_entry(dict, [&](const Value& key, const Value& value) {
    text += fmt::format("{}({}, {})", first ? "" : ", ", vm.repr(key), vm.repr(value));
    first = false;
  });
  return text + "])";
}

static bool same_order(Interpreter& vm, Dict& a, Dict& b) {
  std::vector<Value> keys;
  each_entry(a, [&](const Value& key, const Value&) { keys.push_back(key); });
  size_t i = 0;
  bool same = a.size() == b.size();
  each_entry(b, [&](const Value& key, const Value&) {
    same = same && i < keys.size() && vm.equal(keys[i++], key);
  });
  return same;
}

static Value ordered_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  Value result = vm.types.dict->slots.compare(vm, op, self, other);
  bool ordered = other.is<Dict>() && vm.type_of(other)->slots.compare == ordered_compare;
  if (!ordered || result.is_not_implemented()) return result;
  bool equal = vm.truth(result) == (op == CompareOp::equal);
  equal = equal && same_order(vm, dict_of(self), dict_of(other));
  return Value::boolean(equal == (op == CompareOp::equal));
}

static Value ordered_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op != BinaryOp::bit_or || !lhs.is<Dict>() || !rhs.is<Dict>()) return Value::not_implemented();
  bool left = vm.type_of(lhs)->slots.binary == ordered_binary;
  auto both = vm.make<Dict>(vm.type_of(left ? lhs : rhs));
  update_dict(vm, *both, lhs);
  update_dict(vm, *both, rhs);
  return both;
}

static const Native kMethods[] = {
    {"__init__", "(self, mapping=<()>, /, **kwargs)", typed<initialise>, "Puts the items in."},
    {"__reduce__", "(self, /)", typed<reduce>, "How it is made once more."},
    {"copy", "(self, /)", typed<copy>, "An OrderedDict of the same items."},
    {"fromkeys", "(cls, iterable, value=None)", typed<dict_fromkeys>,
     "The keys, each with the same value.", Native::class_method},
    {"move_to_end", "(self, key, last=True)", typed<move_to_end>,
     "Moves a key to the end, or the front."},
    {"popitem", "(self, last=True)", typed<popitem>, "Takes the last pair out, or the first."},
};
static const Native kConstructor = {"OrderedDict", "(cls, mapping=<()>, /, **kwargs)",
                                    typed<make_ordered>,
                                    "A dict whose order can be changed, and is compared."};

void add_ordered_dict(Interpreter& vm, Module& module) {
  add_dict_type<Dict>(
      vm, module,
      {.slots = {.repr = ordered_repr, .compare = ordered_compare, .binary = ordered_binary},
       .methods = kMethods,
       .constructor = &kConstructor});
}

}  // namespace gpy::lib
