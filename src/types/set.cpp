// The types set and frozenset: slots, construction, iterator.
#include "src/types/set.h"

#include "src/memory/pieces.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/sequence.h"
#include "src/types/setup.h"

namespace gpy {

static Value make_set(Interpreter& vm, Type& cls, const Value& iterable) {
  auto set = vm.make<Set>(&cls);
  if (iterable.is_defined()) add_all(vm, *set, iterable);
  return set;
}

static Value make_frozenset(Interpreter& vm, Type& cls, const Value& iterable) {
  if (iterable.is<Set>() && vm.type_of(iterable) == vm.types.frozenset) return iterable;
  return make_set(vm, cls, iterable);
}

static const Native kMakeSet = {"set", "(cls, iterable=<()>, /)", typed<make_set>,
                                "Distinct values, without order."};
static const Native kMakeFrozenset = {"frozenset", "(cls, iterable=<()>, /)", typed<make_frozenset>,
                                      "A set that does not change."};

static std::string set_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  Type* type = vm.type_of(self);
  if (showing.inside()) return type->name + "(...)";
  if (set_of(self).size() == 0) return type->name + "()";
  std::string text = type == vm.types.set ? "{" : type->name + "({";
  size_t begin = text.size();
  each_item(set_of(self), [&](const Value& item) {
    if (text.size() > begin) text += ", ";
    append_bytes(vm, text, vm.repr(item));
  });
  return text += type == vm.types.set ? "}" : "})";
}

// CPython's mixing: the hash does not depend on the order of the items.
static uint64_t shuffled(uint64_t h) { return ((h ^ 89869747ull) ^ (h << 16)) * 3644798167ull; }

static int64_t frozenset_hash(Interpreter& vm, const Value& self) {
  Set& set = set_of(self);
  if (set.cached_hash != -1) return set.cached_hash;
  uint64_t hash = 0;
  InterruptPoll poll(vm);
  for (auto& entry : set.entries()) {
    poll.step();
    if (entry.key.is_defined()) hash ^= shuffled(static_cast<uint64_t>(entry.hash));
  }
  hash ^= (set.size() + 1) * 1927868237ull;
  hash ^= (hash >> 11) ^ (hash >> 25);
  hash = hash * 69069u + 907133923ull;
  set.cached_hash = hash == UINT64_MAX ? 590923713 : static_cast<int64_t>(hash);
  return set.cached_hash;
}

static Value set_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Set>()) return Value::not_implemented();
  Set &a = set_of(self), &b = set_of(other);
  switch (op) {
    case CompareOp::equal: return Value::boolean(a.size() == b.size() && is_subset(vm, a, b));
    case CompareOp::not_equal: return Value::boolean(a.size() != b.size() || !is_subset(vm, a, b));
    case CompareOp::less: return Value::boolean(a.size() < b.size() && is_subset(vm, a, b));
    case CompareOp::less_equal: return Value::boolean(is_subset(vm, a, b));
    case CompareOp::greater: return Value::boolean(b.size() < a.size() && is_subset(vm, b, a));
    case CompareOp::greater_equal: return Value::boolean(is_subset(vm, b, a));
  }
  return Value::not_implemented();
}

static int64_t set_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(set_of(self).size());
}

static bool set_contains(Interpreter& vm, const Value& self, const Value& item) {
  return set_of(self).contains(vm, as_member(vm, item));
}

std::optional<SetOp> set_operation(BinaryOp op) {
  switch (op) {
    case BinaryOp::bit_or: return SetOp::unite;
    case BinaryOp::bit_and: return SetOp::intersect;
    case BinaryOp::subtract: return SetOp::subtract;
    case BinaryOp::bit_xor: return SetOp::symmetric;
    default: return std::nullopt;
  }
}

static Value set_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  const auto operation = set_operation(op);
  if (!lhs.is<Set>() || !rhs.is<Set>() || !operation) return Value::not_implemented();
  return combine(vm, *operation, set_of(lhs), rhs);
}

static Value set_inplace(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  const auto operation = set_operation(op);
  if (!rhs.is<Set>() || !operation) return Value::not_implemented();
  change_set(vm, *operation, set_of(lhs), rhs);
  return lhs;
}

static void set_traverse(Object* self, Visit visit, void* context) {
  for (auto& entry : static_cast<Set*>(self)->entries()) report(entry.key, visit, context);
}

// --- the iterator --------------------------------------------------------------------------------

namespace {

struct SetIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  static constexpr size_t kAnother = SIZE_MAX;  // set for good after a change of size
  SetIterator(Type* type, Ref<Set> set)
      : Object(type), set(std::move(set)), size(this->set->size()) {}
  Ref<Set> set;  // null when exhausted
  size_t size;   // of the set, which must not change
  size_t next = 0;
};

}  // namespace

static Value set_iter(Interpreter& vm, const Value& self) {
  return vm.make<SetIterator>(vm.types.set_iterator, Ref<Set>(&set_of(self)));
}

static Value set_iterator_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<SetIterator>();
  if (!it.set) return Value();
  if (it.set->size() != it.size) {
    it.size = SetIterator::kAnother;
    vm.raise_runtime_error("Set changed size during iteration");
  }
  auto entries = it.set->entries();
  while (it.next < entries.size()) {
    const Value& item = entries[it.next++].key;
    if (item.is_defined()) return item;
  }
  it.set = nullptr;
  return Value();
}

void setup_set(Interpreter& vm) {
  Slots slots{.repr = set_repr,
              .compare = set_compare,
              .length = set_length,
              .contains = set_contains,
              .iter = set_iter,
              .binary = set_binary,
              .traverse = set_traverse};
  TypeSpec frozen{.name = "frozenset",
                  .doc = "Distinct values, without order, that do not change.",
                  .slots = slots,
                  .methods = set_methods(),
                  .constructor = &kMakeFrozenset,
                  .is_final = false};
  frozen.slots.hash = frozenset_hash;
  vm.types.frozenset = vm.make_type<Set>(frozen);
  slots.inplace = set_inplace;
  vm.types.set = vm.make_type<Set>({.name = "set",
                                    .doc = "Distinct values, without order.",
                                    .slots = slots,
                                    .constructor = &kMakeSet,
                                    .is_final = false});
  vm.types.set->methods = {set_methods(), set_change_methods()};
  vm.types.set_iterator =
      vm.make_type<SetIterator>({.name = "set_iterator",
                                 .slots = {.iter = iterator_itself,
                                           .next = set_iterator_next,
                                           .traverse = traverse<&SetIterator::set>}});
}

}  // namespace gpy
