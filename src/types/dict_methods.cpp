#include "src/types/dict.h"

namespace gpy {

static Dict& dict_of(const Value& v) { return *v.as<Dict>(); }

static Value dict_clear(Interpreter&, Args args) {
  dict_of(args[0]).clear();
  return Value::none();
}

static Value dict_copy(Interpreter&, Args args) { return dict_of(args[0]).copy(); }

static Value dict_fromkeys(Interpreter& vm, Args args) {
  auto dict = vm.make<Dict>(args[0].as<Type>());
  vm.for_each(args[1], [&](const Value& key) { dict->set(vm, key, args[2]); });
  return dict;
}

static Value dict_get(Interpreter& vm, Args args) {
  Value* found = dict_of(args[0]).find(vm, args[1]);
  return found ? *found : args[2];
}

static Value dict_setdefault(Interpreter& vm, Args args) {
  return dict_of(args[0]).find_or_insert(vm, args[1], args[2]);
}

static Value dict_pop(Interpreter& vm, Args args) {
  Value taken;
  bool empty = dict_of(args[0]).size() == 0;  // then the key need not be hashable
  if (!empty && dict_of(args[0]).erase(vm, args[1], &taken)) return taken;
  if (!args.has(2)) vm.raise_key_error(args[1]);
  return args[2];
}

static Value dict_popitem(Interpreter& vm, Args args) {
  Dict& dict = dict_of(args[0]);
  if (dict.size() == 0) {
    vm.raise_key_error(vm.str("popitem(): dictionary is empty"));
  }
  auto entries = dict.entries();
  size_t last = entries.size() - 1;
  while (entries[last].key.is_undefined()) --last;
  Value pair = vm.tuple({entries[last].key, entries[last].value});
  dict.erase(vm, pair.as<Tuple>()->items()[0]);
  return pair;
}

static Value dict_update(Interpreter& vm, Args args) {
  if (args.has(1)) update_dict(vm, dict_of(args[0]), args[1]);
  update_dict(vm, dict_of(args[0]), args[2]);
  return Value::none();
}

static Value view(Interpreter& vm, const Value& self, Type* type, DictView::Kind kind) {
  return vm.make<DictView>(type, Ref<Dict>(&dict_of(self)), kind);
}

static Value dict_keys(Interpreter& vm, Args args) {
  return view(vm, args[0], vm.types.dict_keys, DictView::keys);
}
static Value dict_values(Interpreter& vm, Args args) {
  return view(vm, args[0], vm.types.dict_values, DictView::values);
}
static Value dict_items(Interpreter& vm, Args args) {
  return view(vm, args[0], vm.types.dict_items, DictView::items);
}

static Value dict_reversed(Interpreter& vm, Args args) {
  return dict_iterator(vm, Ref<Dict>(&dict_of(args[0])), DictView::keys, true);
}

static const Native kMethods[] = {
    {"__reversed__", "(self, /)", dict_reversed, "The keys from the last to the first."},
    {"clear", "(self, /)", dict_clear, "Removes everything."},
    {"copy", "(self, /)", dict_copy, "A new dict of the same entries."},
    {"fromkeys", "(cls, iterable, value=None, /)", dict_fromkeys,
     "A dict of these keys, each with the value.", Native::class_method},
    {"get", "(self, key, default=None, /)", dict_get, "The key's value, or the default."},
    {"items", "(self, /)", dict_items, "The (key, value) pairs, as a view."},
    {"keys", "(self, /)", dict_keys, "The keys, as a view."},
    {"pop", "(self, key, default=<omitted>, /)", dict_pop, "Removes a key and gives its value."},
    {"popitem", "(self, /)", dict_popitem, "Removes the pair put in last and gives it."},
    {"setdefault", "(self, key, default=None, /)", dict_setdefault,
     "The key's value, put there first if it is new."},
    {"update", "(self, mapping=<()>, /, **kwargs)", dict_update, "Puts in what another holds."},
    {"values", "(self, /)", dict_values, "The values, as a view."},
};

std::span<const Native> dict_methods() { return kMethods; }

}  // namespace gpy
