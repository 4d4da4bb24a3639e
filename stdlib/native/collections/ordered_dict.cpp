// collections.OrderedDict: a dict whose order can be changed, and counts in comparisons.
#include "stdlib/native/collections/collections.h"

namespace gpy::lib {

static Dict& dict_of(const Value& v) { return *v.as<Dict>(); }

// As the class of `self` puts items in.
static void fill(Interpreter& vm, const Value& self, Args args) {
  Ref<Dict> items = vm.dict();
  if (args.has(1)) update_dict(vm, *items, args[1]);
  update_dict(vm, *items, args[2]);
  each_entry(*items, [&](const Value& key, const Value& item) { vm.set_item(self, key, item); });
}

static Value make_ordered(Interpreter& vm, Args args) {
  Value dict = vm.make<Dict>(args[0].as<Type>());
  fill(vm, dict, args);
  return dict;
}

static Value initialise(Interpreter& vm, Args args) {
  fill(vm, args[0], args);
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

static Value move_to_end(Interpreter& vm, Args args) {
  Dict& dict = dict_of(args[0]);
  Value value;
  if (!dict.erase(vm, args[1], &value)) vm.raise_key_error(args[1]);
  if (vm.truth(args[2])) {
    dict.set(vm, args[1], value);
  } else {
    move_to_front(vm, dict, args[1], value);
  }
  return Value::none();
}

static Value popitem(Interpreter& vm, Args args) {
  Dict& dict = dict_of(args[0]);
  if (dict.size() == 0) {
    vm.raise(vm.make_exception(vm.types.key_error, {vm.str("dictionary is empty")}));
  }
  auto entries = dict.entries();
  size_t i = vm.truth(args[1]) ? entries.size() - 1 : 0;
  while (entries[i].key.is_undefined()) ++i;
  Value key = entries[i].key;
  Value item = vm.tuple({key, entries[i].value});
  dict.erase(vm, key);
  return item;
}

static Value copy(Interpreter& vm, Args args) {
  auto made = vm.make<Dict>(vm.type_of(args[0]));
  update_dict(vm, *made, args[0]);
  return made;
}

static Value reduce(Interpreter& vm, Args args) {
  const Value& self = args[0];
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
    {"__init__", "(self, mapping=<()>, /, **kwargs)", initialise, "Puts the items in."},
    {"__reduce__", "(self, /)", reduce, "How it is made once more."},
    {"copy", "(self, /)", copy, "An OrderedDict of the same items."},
    {"fromkeys", "(cls, iterable, value=None)", dict_fromkeys,
     "The keys, each with the same value.", Native::class_method},
    {"move_to_end", "(self, key, last=True)", move_to_end, "Moves a key to the end, or the front."},
    {"popitem", "(self, last=True)", popitem, "Takes the last pair out, or the first."},
};
static const Native kConstructor = {"OrderedDict", "(cls, mapping=<()>, /, **kwargs)", make_ordered,
                                    "A dict whose order can be changed, and is compared."};

void add_ordered_dict(Interpreter& vm, Module& module) {
  add_dict_type<Dict>(
      vm, module,
      {.slots = {.repr = ordered_repr, .compare = ordered_compare, .binary = ordered_binary},
       .methods = kMethods,
       .constructor = &kConstructor});
}

}  // namespace gpy::lib
