// The type dict: its slots and construction.
#include "src/types/dict.h"

#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/sequence.h"
#include "src/types/setup.h"

namespace gpy {

static Dict& dict_of(const Value& v) { return *v.as<Dict>(); }

// --- dict(...) and update ------------------------------------------------------------------------

static void take_pair(Interpreter& vm, Dict& dict, const Value& pair, size_t position) {
  if (!vm.is_iterable(pair)) {
    vm.raise_type_error("cannot convert dictionary update sequence element #{} to a sequence",
                        position);
  }
  std::vector<Value> parts = vm.collect(pair);
  if (parts.size() != 2) {
    vm.raise_value_error("dictionary update sequence element #{} has length {}; 2 is required",
                         position, parts.size());
  }
  dict.set(vm, parts[0], parts[1]);
}

void update_dict(Interpreter& vm, Dict& dict, const Value& source) {
  if (Dict* other = source.try_as<Dict>()) {
    if (other == &dict) return;
    if (dict.size() == 0) dict.reserve(other->size());
    Ref<Dict> held(other);
    each_entry(*other, [&](const Value& key, const Value& value) { dict.set(vm, key, value); });
    return;
  }
  Value keys = vm.try_get_attribute(source, vm.intern("keys"));
  if (keys.is_defined()) {
    vm.for_each(vm.call(keys),
                [&](const Value& key) { dict.set(vm, key, vm.get_item(source, key)); });
    return;
  }
  size_t position = 0;
  vm.for_each(source, [&](const Value& pair) { take_pair(vm, dict, pair, position++); });
}

static Value make_dict(Interpreter& vm, Type& cls, const Value& mapping, const Value& kwargs) {
  auto dict = vm.make<Dict>(&cls);
  if (mapping.is_defined()) update_dict(vm, *dict, mapping);
  update_dict(vm, *dict, kwargs);
  return dict;
}

static const Native kConstructor = {"dict", "(cls, mapping=<()>, /, **kwargs)", typed<make_dict>,
                                    "Values by key, in the order they were put in."};

// --- slots ---------------------------------------------------------------------------------------

static std::string dict_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "{...}";
  vm.check_stack();
  std::string text = "{";
  each_entry(dict_of(self), [&](const Value& key, const Value& value) {
    if (text.size() > 1) text += ", ";
    append_bytes(vm, text, vm.repr(key));
    text += ": ";
    append_bytes(vm, text, vm.repr(value));
  });
  return text += "}";
}

static bool equal_dicts(Interpreter& vm, Dict& a, Dict& b) {
  if (a.size() != b.size()) return false;
  vm.check_stack();
  bool equal = true;
  each_entry(a, [&](const Value& key, const Value& value) {
    if (!equal) return;
    Value* other = b.find(vm, key);
    Value held = other ? *other : Value();
    equal = held.is_defined() && vm.equal(value, held);
  });
  return equal;
}

static Value dict_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || !other.is<Dict>()) return Value::not_implemented();
  bool equal = equal_dicts(vm, dict_of(self), dict_of(other));
  return Value::boolean(equal == (op == CompareOp::equal));
}

static int64_t dict_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(dict_of(self).size());
}

static Value dict_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (Value* found = dict_of(self).find(vm, key)) return *found;
  if (vm.type_of(self) != vm.types.dict) {
    Value missing = vm.try_get_attribute(self, vm.intern("__missing__"));
    if (missing.is_defined()) return vm.call(missing, {key});
  }
  vm.raise_key_error(key);
}

static void dict_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  dict_of(self).set(vm, key, item);
}

static void dict_delitem(Interpreter& vm, const Value& self, const Value& key) {
  Value gone;
  if (!dict_of(self).erase(vm, key, &gone)) vm.raise_key_error(key);
}

static bool dict_contains(Interpreter& vm, const Value& self, const Value& key) {
  return dict_of(self).find(vm, key) != nullptr;
}

static Value dict_iter(Interpreter& vm, const Value& self) {
  return dict_iterator(vm, Ref<Dict>(&dict_of(self)), DictView::keys);
}

static Value dict_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op != BinaryOp::bit_or || !lhs.is<Dict>() || !rhs.is<Dict>()) return Value::not_implemented();
  Ref<Dict> both = dict_of(lhs).copy();
  update_dict(vm, *both, rhs);
  return both;
}

static Value dict_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op != BinaryOp::bit_or) return Value::not_implemented();
  update_dict(vm, dict_of(lhs), rhs);
  return lhs;
}

static void dict_traverse(Object* self, Visit visit, void* context) {
  for (auto& entry : static_cast<Dict*>(self)->entries()) {
    if (entry.key.is_object()) visit(entry.key.as_object(), context);
    if (entry.value.is_object()) visit(entry.value.as_object(), context);
  }
}

void setup_dict(Interpreter& vm) {
  vm.types.dict = vm.make_type<Dict>({.name = "dict",
                                      .doc = "Values by key, in the order they were put in.",
                                      .slots = {.repr = dict_repr,
                                                .compare = dict_compare,
                                                .length = dict_length,
                                                .getitem = dict_getitem,
                                                .setitem = dict_setitem,
                                                .delitem = dict_delitem,
                                                .contains = dict_contains,
                                                .iter = dict_iter,
                                                .binary = dict_binary,
                                                .inplace = dict_inplace,
                                                .traverse = dict_traverse},
                                      .methods = dict_methods(),
                                      .constructor = &kConstructor,
                                      .is_final = false});
  setup_dict_views(vm);
}

}  // namespace gpy
