// Operations on two sets, and the methods of set and frozenset.
#include "src/types/set.h"

#include "src/typed_native.h"
namespace gpy {

void add_all(Interpreter& vm, Set& set, const Value& iterable) {
  if (Set* other = iterable.try_as<Set>()) {
    Ref<Set> held(other);
    return set.merge(vm, *other);
  }
  if (vm.is_exactly(vm.types.dict, iterable)) set.make_room(iterable.as<Dict>()->size());
  vm.for_each(iterable, [&](const Value& item) { set.add(vm, item); });
}

Ref<Set> copy_set(Interpreter& vm, Set& set, Type* type) {
  auto copied = vm.make<Set>(type);
  copied->merge(vm, set);
  return copied;
}

Ref<Set> set_from(Interpreter& vm, const Value& iterable) {
  Ref<Set> set = vm.set();
  add_all(vm, *set, iterable);
  return set;
}

Ref<Set> as_set(Interpreter& vm, const Value& iterable) {
  Set* set = iterable.try_as<Set>();
  return set ? Ref<Set>(set) : set_from(vm, iterable);
}

// The type for results: subclasses combine to plain sets.
static Type* plain_type(Interpreter& vm, const Set& set) {
  return set.type->is_subclass_of(vm.types.frozenset) ? vm.types.frozenset : vm.types.set;
}

// The size of a set or dict, where a look-up of an item is quick; nothing for other iterables.
static std::optional<size_t> key_count(Interpreter& vm, const Value& v) {
  if (Set* set = v.try_as<Set>()) return set->size();
  if (vm.is_exactly(vm.types.dict, v)) return v.as<Dict>()->size();
  return std::nullopt;
}

static bool has_key(Interpreter& vm, const Value& keys, const Value& item) {
  if (Set* set = keys.try_as<Set>()) return set->contains(vm, item);
  return keys.as<Dict>()->find(vm, item) != nullptr;
}

static void add_where(Interpreter& vm, Set& result, Set& from, const Value& keys, bool in_keys) {
  each_item(from, [&](const Value& item) {
    if (has_key(vm, keys, item) == in_keys) result.add(vm, item);
  });
}

// Each item of `others` is added if it was not in the set, and removed if it was.
static void toggle_items(Interpreter& vm, Set& set, const Value& others) {
  auto toggle = [&](const Value& item) {
    if (!set.erase(vm, item)) set.add(vm, item);
  };
  if (others.try_as<Set>() == &set) return set.clear();
  if (vm.is_exactly(vm.types.dict, others)) return vm.for_each(others, toggle);
  each_item(*as_set(vm, others), toggle);
}

static void remove_items(Interpreter& vm, Set& set, const Value& iterable) {
  Set* other = iterable.try_as<Set>();
  if (other == &set) return set.clear();
  if (other) {
    each_item(*other, [&](const Value& item) { set.erase(vm, item); });
  } else {
    vm.for_each(iterable, [&](const Value& item) { set.erase(vm, item); });
  }
  set.drop_erased();
}

void change_set(Interpreter& vm, SetOp op, Set& set, const Value& other) {
  switch (op) {
    case SetOp::unite: return add_all(vm, set, other);
    case SetOp::intersect: return set.swap_items(*combine(vm, op, set, other));
    case SetOp::subtract: return remove_items(vm, set, other);
    case SetOp::symmetric: return toggle_items(vm, set, other);
  }
}

static Ref<Set> joined(Interpreter& vm, Type* type, Set& set, const Value& other) {
  Ref<Set> both = copy_set(vm, set, type);
  if (other.try_as<Set>() != &set) add_all(vm, *both, other);
  return both;
}

// When two items are equal, the iterable's item is kept; of two sets, the smaller one's.
static Ref<Set> common(Interpreter& vm, Type* type, Set& set, const Value& iterable) {
  auto result = vm.make<Set>(type);
  if (Set* other = iterable.try_as<Set>()) {
    if (other == &set) return copy_set(vm, set, type);
    const bool walks_set = other->size() > set.size();
    add_where(vm, *result, walks_set ? set : *other, walks_set ? iterable : Value(&set), true);
  } else {
    vm.for_each(iterable, [&](const Value& item) {
      if (set.contains(vm, item)) result->add(vm, item);
    });
  }
  return result;
}

static Ref<Set> without(Interpreter& vm, Type* type, Set& set, const Value& iterable) {
  const auto keys = key_count(vm, iterable);
  if (!keys || set.size() / 4 > *keys) {
    Ref<Set> result = copy_set(vm, set, type);
    remove_items(vm, *result, iterable);
    return result;
  }
  auto result = vm.make<Set>(type);
  add_where(vm, *result, set, iterable, false);
  return result;
}

static Ref<Set> in_one_alone(Interpreter& vm, Type* type, Set& set, const Value& other) {
  auto result = vm.make<Set>(type);
  add_all(vm, *result, other);
  toggle_items(vm, *result, Value(&set));
  return result;
}

Ref<Set> combine(Interpreter& vm, SetOp op, Set& set, const Value& other) {
  Type* type = plain_type(vm, set);
  switch (op) {
    case SetOp::unite: return joined(vm, type, set, other);
    case SetOp::intersect: return common(vm, type, set, other);
    case SetOp::subtract: return without(vm, type, set, other);
    case SetOp::symmetric: return in_one_alone(vm, type, set, other);
  }
  __builtin_unreachable();
}

bool is_subset(Interpreter& vm, Set& inner, Set& outer) {
  if (inner.size() > outer.size()) return false;
  bool all = true;
  each_item(inner, [&](const Value& item) { all = all && outer.contains(vm, item); });
  return all;
}

Value as_member(Interpreter& vm, const Value& item) {
  bool is_set = item.is<Set>() && !vm.type_of(item)->slots.hash;
  if (!is_set) return item;
  return copy_set(vm, *item.as<Set>(), vm.types.frozenset);
}

// --- methods that give a new set -----------------------------------------------------------------

template <SetOp op>
static Value set_combination(Interpreter& vm, Set& self, std::span<const Value> others) {
  if (others.empty()) return copy_set(vm, self, plain_type(vm, self));
  Ref<Set> result = combine(vm, op, self, others[0]);
  for (const Value& other : others.subspan(1)) {
    const bool is_there = op == SetOp::unite && other.try_as<Set>() == &self;
    if (!is_there) change_set(vm, op, *result, other);
  }
  return result;
}

static Value set_symmetric_difference(Interpreter& vm, Set& self, const Value& other) {
  return combine(vm, SetOp::symmetric, self, other);
}

static Value set_copy(Interpreter& vm, Set& self) {
  return copy_set(vm, self, plain_type(vm, self));
}

static Value set_isdisjoint(Interpreter& vm, Set& self, const Value& other) {
  bool disjoint = true;
  vm.for_each(other, [&](const Value& item) { disjoint = disjoint && !self.contains(vm, item); });
  return Value::boolean(disjoint);
}

static Value set_issubset(Interpreter& vm, Set& self, const Value& other) {
  return Value::boolean(is_subset(vm, self, *as_set(vm, other)));
}

static Value set_issuperset(Interpreter& vm, Set& self, const Value& other) {
  return Value::boolean(is_subset(vm, *as_set(vm, other), self));
}

static const Native kMethods[] = {
    {"copy", "(self, /)", typed<set_copy>, "A new set of the same items."},
    {"difference", "(self, /, *others)", typed<set_combination<SetOp::subtract>>,
     "Items of this and no other."},
    {"intersection", "(self, /, *others)", typed<set_combination<SetOp::intersect>>,
     "Items of all."},
    {"isdisjoint", "(self, other, /)", typed<set_isdisjoint>, "Whether nothing is in both."},
    {"issubset", "(self, other, /)", typed<set_issubset>, "Whether the other has every item."},
    {"issuperset", "(self, other, /)", typed<set_issuperset>,
     "Whether it has every item of the other."},
    {"symmetric_difference", "(self, other, /)", typed<set_symmetric_difference>,
     "Items of one but not of both."},
    {"union", "(self, /, *others)", typed<set_combination<SetOp::unite>>, "Items of any."},
};

std::span<const Native> set_methods() { return kMethods; }

// --- methods that change it ----------------------------------------------------------------------

static Value set_add(Interpreter& vm, Set& self, const Value& item) {
  self.add(vm, item);
  return Value::none();
}

static Value set_clear(Interpreter&, Set& self) {
  self.clear();
  return Value::none();
}

static Value set_discard(Interpreter& vm, Set& self, const Value& item) {
  self.erase(vm, as_member(vm, item));
  return Value::none();
}

static Value set_remove(Interpreter& vm, Set& self, const Value& item) {
  if (!self.erase(vm, as_member(vm, item))) vm.raise_key_error(item);
  return Value::none();
}

static Value set_pop(Interpreter& vm, Set& self) {
  Value taken = self.pop();
  if (taken.is_undefined()) vm.raise_key_error(vm.str("pop from an empty set"));
  return taken;
}

template <SetOp op>
static Value set_update(Interpreter& vm, Set& self, std::span<const Value> others) {
  Ref<Set> held(&self);
  for (const Value& other : others) change_set(vm, op, self, other);
  return Value::none();
}

static Value set_symmetric_update(Interpreter& vm, Set& self, const Value& other) {
  change_set(vm, SetOp::symmetric, self, other);
  return Value::none();
}

static const Native kChangeMethods[] = {
    {"add", "(self, item, /)", typed<set_add>, "Puts an item in."},
    {"clear", "(self, /)", typed<set_clear>, "Removes everything."},
    {"difference_update", "(self, /, *others)", typed<set_update<SetOp::subtract>>,
     "Removes the items of others."},
    {"discard", "(self, item, /)", typed<set_discard>, "Removes an item if it is there."},
    {"intersection_update", "(self, /, *others)", typed<set_update<SetOp::intersect>>,
     "Keeps what all have."},
    {"pop", "(self, /)", typed<set_pop>, "Removes some item and gives it."},
    {"remove", "(self, item, /)", typed<set_remove>,
     "Removes an item; KeyError if it is not there."},
    {"symmetric_difference_update", "(self, other, /)", typed<set_symmetric_update>,
     "Keeps what one has but not both."},
    {"update", "(self, /, *others)", typed<set_update<SetOp::unite>>,
     "Puts in the items of others."},
};

std::span<const Native> set_change_methods() { return kChangeMethods; }

}  // namespace gpy
