#include "src/types/dict.h"

#include "src/typed_native.h"

namespace gpy {

static Value dict_clear(Interpreter&, Dict& self) {
  self.clear();
  return Value::none();
}

static Value dict_copy(Interpreter&, Dict& self) { return self.copy(); }

static Value dict_fromkeys(Interpreter& vm, Type& cls, const Value& iterable, const Value& value) {
  auto dict = vm.make<Dict>(&cls);
  vm.for_each(iterable, [&](const Value& key) { dict->set(vm, key, value); });
  return dict;
}

static Value dict_get(Interpreter& vm, Dict& self, const Value& key, const Value& otherwise) {
  Value* found = self.find(vm, key);
  return found ? *found : otherwise;
}

static Value dict_setdefault(Interpreter& vm, Dict& self, const Value& key,
                             const Value& otherwise) {
  return self.find_or_insert(vm, key, otherwise);
}

static Value dict_pop(Interpreter& vm, Dict& self, const Value& key, const Value& otherwise) {
  Value taken;
  bool empty = self.size() == 0;  // then the key need not be hashable
  if (!empty && self.erase(vm, key, &taken)) return taken;
  if (otherwise.is_undefined()) vm.raise_key_error(key);
  return otherwise;
}

static Value dict_popitem(Interpreter& vm, Dict& self) {
  if (self.size() == 0) {
    vm.raise_key_error(vm.str("popitem(): dictionary is empty"));
  }
  auto entries = self.entries();
  size_t last = entries.size() - 1;
  while (entries[last].key.is_undefined()) --last;
  Value pair = vm.tuple({entries[last].key, entries[last].value});
  self.erase(vm, pair.as<Tuple>()->items()[0]);
  return pair;
}

static Value dict_update(Interpreter& vm, Dict& self, const Value& mapping, const Value& kwargs) {
  if (mapping.is_defined()) update_dict(vm, self, mapping);
  update_dict(vm, self, kwargs);
  return Value::none();
}

static Value view(Interpreter& vm, Dict& dict, Type* type, DictView::Kind kind) {
  return vm.make<DictView>(type, Ref<Dict>(&dict), kind);
}

static Value dict_keys(Interpreter& vm, Dict& self) {
  return view(vm, self, vm.types.dict_keys, DictView::keys);
}
static Value dict_values(Interpreter& vm, Dict& self) {
  return view(vm, self, vm.types.dict_values, DictView::values);
}
static Value dict_items(Interpreter& vm, Dict& self) {
  return view(vm, self, vm.types.dict_items, DictView::items);
}

static Value dict_reversed(Interpreter& vm, Dict& self) {
  return dict_iterator(vm, Ref<Dict>(&self), DictView::keys, true);
}

static const Native kMethods[] = {
    {"__reversed__", "(self, /)", typed<dict_reversed>, "The keys from the last to the first."},
    {"clear", "(self, /)", typed<dict_clear>, "Removes everything."},
    {"copy", "(self, /)", typed<dict_copy>, "A new dict of the same entries."},
    {"fromkeys", "(cls, iterable, value=None, /)", typed<dict_fromkeys>,
     "A dict of these keys, each with the value.", Native::class_method},
    {"get", "(self, key, default=None, /)", typed<dict_get>, "The key's value, or the default."},
    {"items", "(self, /)", typed<dict_items>, "The (key, value) pairs, as a view."},
    {"keys", "(self, /)", typed<dict_keys>, "The keys, as a view."},
    {"pop", "(self, key, default=<omitted>, /)", typed<dict_pop>,
     "Removes a key and gives its value."},
    {"popitem", "(self, /)", typed<dict_popitem>, "Removes the pair put in last and gives it."},
    {"setdefault", "(self, key, default=None, /)", typed<dict_setdefault>,
     "The key's value, put there first if it is new."},
    {"update", "(self, mapping=<()>, /, **kwargs)", typed<dict_update>,
     "Puts in what another holds."},
    {"values", "(self, /)", typed<dict_values>, "The values, as a view."},
};

std::span<const Native> dict_methods() { return kMethods; }

}  // namespace gpy
