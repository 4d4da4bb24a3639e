// The type tuple and its iterator.
#include "src/memory/pieces.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/sequence.h"
#include "src/types/setup.h"

namespace gpy {

static const SequenceWords kWords = {"tuple indices must be integers or slices",
                                     "tuple index out of range"};

static std::span<Value> items_of(const Value& self) { return self.as<Tuple>()->items(); }

static Value make_tuple(Interpreter& vm, const Value&, const Value& iterable) {
  if (iterable.is_undefined()) return vm.tuple({});
  if (iterable.is<Tuple>() && vm.type_of(iterable) == vm.types.tuple) return iterable;
  if (iterable.is<List>() && vm.type_of(iterable) == vm.types.list) {
    return vm.tuple(iterable.as<List>()->items);
  }
  const Value items = vm.list(vm.collect(iterable));
  return vm.tuple(items.as<List>()->items);
}

static const Native kConstructor = {"tuple", "(cls, iterable=<()>, /)", typed<make_tuple>,
                                    "A row of values that does not change."};

static std::string tuple_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "(...)";
  auto items = items_of(self);
  return repr_items(vm, "(", items.size() == 1 ? ",)" : ")", [&](size_t i, std::string& text) {
    if (i >= items.size()) return false;
    append_bytes(vm, text, vm.repr(items[i]));
    return true;
  });
}

// CPython's hash, after xxHash: good for rows of small ints. It polls: a few tuples that share
// their items may take very long.
static int64_t tuple_hash(Interpreter& vm, const Value& self) {
  constexpr uint64_t kPrime1 = 11400714785074694791ull, kPrime2 = 14029467366897019727ull,
                     kPrime5 = 2870177450012600261ull;
  const Value kept = self;  // a poll may destroy other references
  uint64_t hash = kPrime5;
  for (const Value& item : items_of(kept)) {
    vm.poll();
    hash += static_cast<uint64_t>(vm.hash(item)) * kPrime2;
    hash = (hash << 31 | hash >> 33) * kPrime1;
  }
  hash += items_of(kept).size() ^ (kPrime5 ^ 3527539);
  return hash == UINT64_MAX ? 1546275796 : static_cast<int64_t>(hash);
}

static Value tuple_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  if (!other.is<Tuple>()) return Value::not_implemented();
  vm.check_stack();
  return compare_rows(
      vm, op, [&] { return items_of(self); }, [&] { return items_of(other); });
}

static int64_t tuple_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(items_of(self).size());
}

static bool tuple_contains(Interpreter& vm, const Value& self, const Value& item) {
  return find_item(
             vm, [&] { return items_of(self); }, item, 0, INT64_MAX) >= 0;
}

static Value tuple_slice(Interpreter& vm, const Value& self, const Slice& slice) {
  auto items = items_of(self);
  auto indices = slice.indices(vm, static_cast<int64_t>(items.size()));
  const bool is_all = indices.step == 1 && indices.length == static_cast<int64_t>(items.size());
  if (is_all && Interpreter::is_exactly(vm.types.tuple, self)) return self;
  Ref<Tuple> taken = Tuple::make_uninitialised(vm, static_cast<size_t>(indices.length));
  InterruptPoll poll(vm);
  for (int64_t i = 0; i < indices.length; ++i) {
    poll.step();
    (*taken)[static_cast<size_t>(i)] = items[static_cast<size_t>(indices.start + i * indices.step)];
  }
  return taken;
}

static Value tuple_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (const Slice* slice = key.try_as<Slice>()) return tuple_slice(vm, self, *slice);
  return items_of(
      self)[static_cast<size_t>(sequence_index(vm, key, tuple_length(vm, self), kWords))];
}

static Value tuple_iter(Interpreter& vm, const Value& self) {
  return vm.make<SequenceIterator>(vm.types.tuple_iterator, self);
}

static void copy_values(Interpreter& vm, std::span<const Value> from, Value* to) {
  in_pieces(vm, from.size(), [&](size_t begin, size_t end) {
    std::copy(from.begin() + begin, from.begin() + end, to + begin);
  });
}

static Value add_tuples(Interpreter& vm, const Value& lhs, const Value& rhs) {
  auto a = items_of(lhs), b = items_of(rhs);
  Ref<Tuple> joined = Tuple::make_uninitialised(vm, a.size() + b.size());
  copy_values(vm, a, joined->data());
  copy_values(vm, b, joined->data() + a.size());
  return joined;
}

static Value tuple_add(Interpreter& vm, const Value& lhs, const Value& rhs) {
  if (!lhs.is<Tuple>()) return Value::not_implemented();
  if (rhs.is<Tuple>()) return add_tuples(vm, lhs, rhs);
  Value answer = let_other_answer(vm, BinaryOp::add, lhs, rhs, rhs);
  if (answer.is_defined()) return answer;
  raise_concatenation(vm, "tuple", rhs);
}

static Value tuple_multiply(Interpreter& vm, const Value& lhs, const Value& rhs) {
  const Value& tuple = lhs.is<Tuple>() ? lhs : rhs;
  const Value& times = lhs.is<Tuple>() ? rhs : lhs;
  Value answer =
      times.is<Tuple>() ? Value() : let_other_answer(vm, BinaryOp::multiply, lhs, rhs, times);
  if (answer.is_defined()) return answer;
  auto items = items_of(tuple);
  size_t count = repeat_count(vm, times, items.size(), sizeof(Value));
  Ref<Tuple> repeated = Tuple::make_uninitialised(vm, items.size() * count);
  for (size_t i = 0; i < count; ++i) {
    copy_values(vm, items, repeated->data() + i * items.size());
    vm.poll();
  }
  return repeated;
}

static Value tuple_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  if (op == BinaryOp::add) return tuple_add(vm, lhs, rhs);
  if (op == BinaryOp::multiply) return tuple_multiply(vm, lhs, rhs);
  return Value::not_implemented();
}

static Value tuple_count(Interpreter& vm, Tuple& self, const Value& value) {
  int64_t count = 0;
  for (const Value& item : self.items()) count += vm.equal(item, value);
  return Value::integer(count);
}

static Value tuple_index(Interpreter& vm, Tuple& self, const Value& value, const Value& start,
                         const Value& stop) {
  auto items = self.items();
  Bounds bounds = index_bounds(vm, start, stop, static_cast<int64_t>(items.size()));
  int64_t at = find_item(
      vm, [&] { return items; }, value, bounds.start, bounds.stop);
  if (at < 0) vm.raise_value_error("tuple.index(x): x not in tuple");
  return Value::integer(at);
}

static const Native kMethods[] = {
    {"count", "(self, value, /)", typed<tuple_count>, "How many items equal the value."},
    {"index", "(self, value, start=<0>, stop=<end>, /)", typed<tuple_index>,
     "The first position of a value; ValueError if there is none."},
};

static void tuple_traverse(Object* self, Visit visit, void* context) {
  for (const Value& item : static_cast<Tuple*>(self)->items()) report(item, visit, context);
}

void setup_tuple(Interpreter& vm) {
  vm.types.tuple = vm.make_type({.name = "tuple",
                                 .doc = "A row of values that does not change.",
                                 .slots = {.repr = tuple_repr,
                                           .hash = tuple_hash,
                                           .compare = tuple_compare,
                                           .length = tuple_length,
                                           .getitem = tuple_getitem,
                                           .contains = tuple_contains,
                                           .iter = tuple_iter,
                                           .binary = tuple_binary,
                                           .traverse = tuple_traverse},
                                 .methods = kMethods,
                                 .constructor = &kConstructor,
                                 .is_final = false},
                                ObjectLayout::tuple, Tuple::destroy);
  vm.types.tuple_iterator = vm.make_type<SequenceIterator>(
      {.name = "tuple_iterator",
       .slots = {.iter = iterator_itself,
                 .next = row_iterator_next,
                 .traverse = traverse<&SequenceIterator::sequence>}});
}

}  // namespace gpy
