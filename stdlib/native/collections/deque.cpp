#include "stdlib/native/collections/deque.h"

#include "src/classes/class_slots.h"
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/generic_alias.h"
#include "src/types/sequence.h"
#include "stdlib/native/collections/collections.h"

namespace gpy::lib {

static constexpr SequenceWords kWords = {"sequence index must be integer",
                                         "deque index out of range"};

static Deque& deque_of(const Value& v) { return *v.as<Deque>(); }

bool is_deque(const Value& v) { return v.is<Deque>(); }

static Deque* as_deque(const Value& v) { return v.try_as<Deque>(); }

// The iterable to take items from: for the deque itself, a copy of its items.
static Value source_for(Interpreter& vm, Deque& deque, const Value& iterable) {
  const bool itself = iterable.is_object() && iterable.as_object() == &deque;
  return itself ? Value(vm.list(deque.copy())) : iterable;
}

static void extend(Interpreter& vm, Deque& deque, const Value& iterable) {
  vm.for_each(source_for(vm, deque, iterable), [&](Value item) {
    deque.push_back(std::move(item));
    vm.poll();
  });
}

static void push_all(Interpreter& vm, Deque& deque, std::span<const Value> items) {
  InterruptPoll poll(vm);
  for (const Value& each : items) {
    poll.step();
    deque.push_back(each);
  }
}

static Ref<Deque> like(Interpreter& vm, Deque& deque, const std::vector<Value>& items) {
  auto made = vm.make<Deque>(deque.type);
  made->most = deque.most;
  push_all(vm, *made, items);
  return made;
}

static void fill(Interpreter& vm, Deque& deque, const Value& iterable, const Value& maxlen) {
  deque.take_all();
  deque.most = -1;
  if (!maxlen.is_none()) {
    if (!vm.has_index(maxlen)) vm.raise_type_error("an integer is required");
    int64_t most = vm.to_index(maxlen);
    if (most < 0) vm.raise_value_error("maxlen must be non-negative");
    deque.most = most;
  }
  if (iterable.is_defined()) extend(vm, deque, iterable);
}

static Value make_deque(Interpreter& vm, Type& cls, const Value& iterable, const Value& maxlen) {
  auto deque = vm.make<Deque>(&cls);
  fill(vm, *deque, iterable, maxlen);
  return deque;
}

static Value initialise(Interpreter& vm, Deque& self, const Value& iterable, const Value& maxlen) {
  fill(vm, self, iterable, maxlen);
  return Value::none();
}

// --- methods -------------------------------------------------------------------------------------

static Value append(Interpreter&, Deque& self, const Value& x) {
  self.push_back(x);
  return Value::none();
}

static Value appendleft(Interpreter&, Deque& self, const Value& x) {
  self.push_front(x);
  return Value::none();
}

static Value pop(Interpreter& vm, Deque& self) {
  if (self.size() == 0) vm.raise_index_error("pop from an empty deque");
  return self.pop_back();
}

static Value popleft(Interpreter& vm, Deque& self) {
  if (self.size() == 0) vm.raise_index_error("pop from an empty deque");
  return self.pop_front();
}

static Value extend_method(Interpreter& vm, Deque& self, const Value& iterable) {
  extend(vm, self, iterable);
  return Value::none();
}

static Value extendleft(Interpreter& vm, Deque& self, const Value& iterable) {
  vm.for_each(source_for(vm, self, iterable), [&](Value item) {
    self.push_front(std::move(item));
    vm.poll();
  });
  return Value::none();
}

static Value clear(Interpreter& vm, Deque& self) {
  std::vector<Value> gone = self.take_all();
  destroy_items(vm, gone);
  return Value::none();
}

static Value copy(Interpreter& vm, Deque& self) { return like(vm, self, self.copy()); }

static Value count(Interpreter& vm, Deque& self, const Value& x) {
  int64_t found = 0;
  uint32_t changes = self.changes;
  for (size_t i = 0; i < self.size(); ++i) {
    Value item = self.at(i);
    found += vm.equal(item, x);
    if (self.changes != changes) vm.raise_runtime_error("deque mutated during iteration");
  }
  return Value::integer(found);
}

static int64_t find(Interpreter& vm, Deque& deque, const Value& wanted, int64_t start,
                    int64_t stop) {
  uint32_t changes = deque.changes;
  stop = std::min(stop, static_cast<int64_t>(deque.size()));
  for (int64_t i = start; i < stop; ++i) {
    Value item = deque.at(static_cast<size_t>(i));
    if (vm.equal(item, wanted)) return i;
    if (deque.changes != changes) vm.raise_runtime_error("deque mutated during iteration");
  }
  return -1;
}

static Value index(Interpreter& vm, Deque& self, const Value& x, const Value& start,
                   const Value& stop) {
  Bounds bounds = search_bounds(vm, start, stop, static_cast<int64_t>(self.size()));
  int64_t found = find(vm, self, x, bounds.start, bounds.stop);
  if (found < 0) vm.raise_value_error("{} is not in deque", vm.repr(x));
  return Value::integer(found);
}

static Value insert(Interpreter& vm, Deque& self, int64_t position, const Value& x) {
  auto size = static_cast<int64_t>(self.size());
  if (size == self.most) vm.raise_index_error("deque already at its maximum size");
  if (position < 0) position = std::max<int64_t>(position + size, 0);
  self.insert(static_cast<size_t>(std::min(position, size)), x);
  return Value::none();
}

// Unlike the others, remove also looks at the deque after the comparison that found its item, and
// raises an IndexError if the deque has changed.
static Value remove(Interpreter& vm, Deque& self, const Value& wanted) {
  const uint32_t changes = self.changes;
  for (size_t i = 0; i < self.size(); ++i) {
    const Value item = self.at(i);
    const bool found = vm.equal(item, wanted);
    if (self.changes != changes) vm.raise_index_error("deque mutated during iteration");
    if (!found) continue;
    self.erase(i);
    return Value::none();
  }
  vm.raise_value_error("{} is not in deque", vm.repr(wanted));
}

static Value reverse(Interpreter& vm, Deque& self) {
  InterruptPoll poll(vm);
  for (size_t i = 0, j = self.size(); i + 1 < j; ++i) {
    poll.step();
    self.at(i).swap(self.at(--j));
  }
  return Value::none();
}

// Rotates by the fewest steps with the same result, in pieces.
static Value rotate(Interpreter& vm, Deque& self, int64_t asked) {
  int64_t steps = self.shortest_turn(asked);
  constexpr int64_t kMost = kPiece;
  for (int64_t piece; steps != 0; steps -= piece) {
    poll_interrupt(vm);
    piece = std::clamp(steps, -kMost, kMost);
    self.rotate(piece);
  }
  return Value::none();
}

static Value iterator_over(Interpreter& vm, Deque& deque, bool backward) {
  Type* type = native_base(deque.type)->lookup_own(vm.intern("_iterator"))->as<Type>();
  return vm.make<DequeIterator>(type, Ref<Deque>(&deque), backward);
}

static Value reversed(Interpreter& vm, Deque& self) { return iterator_over(vm, self, true); }

static Value reduce(Interpreter& vm, const Value& self) {
  const int64_t most = deque_of(self).most;
  Value arguments = most < 0 ? vm.tuple({}) : vm.tuple({vm.tuple({}), Value::integer(most)});
  return vm.tuple(
      {Value(vm.type_of(self)), arguments, attributes_or_none(vm, self), vm.iterate(self)});
}

static const Native kMethods[] = {
    {"__init__", "(self, iterable=<()>, maxlen=None)", typed<initialise>, "Fills it anew."},
    {"__copy__", "(self, /)", typed<copy>, "A deque of the same items."},
    {"__reduce__", "(self, /)", typed<reduce>, "How it is made once more."},
    {"__reversed__", "(self, /)", typed<reversed>, "The items from the last to the first."},
    {"append", "(self, x, /)", typed<append>, "Adds x at the right end."},
    {"appendleft", "(self, x, /)", typed<appendleft>, "Adds x at the left end."},
    {"clear", "(self, /)", typed<clear>, "Removes all items."},
    {"copy", "(self, /)", typed<copy>, "A deque of the same items."},
    {"count", "(self, x, /)", typed<count>, "How often x is there."},
    {"extend", "(self, iterable, /)", typed<extend_method>, "Adds the items at the right end."},
    {"extendleft", "(self, iterable, /)", typed<extendleft>,
     "Adds each item at the left end, so that the last stands first."},
    {"index", "(self, x, start=<omitted>, stop=<omitted>, /)", typed<index>,
     "The first position of x in start..stop."},
    {"insert", "(self, i, x, /)", typed<insert>, "Puts x before position i."},
    {"pop", "(self, /)", typed<pop>, "Takes the item at the right end out."},
    {"popleft", "(self, /)", typed<popleft>, "Takes the item at the left end out."},
    {"remove", "(self, value, /)", typed<remove>, "Takes the first item equal to value out."},
    {"reverse", "(self, /)", typed<reverse>, "Turns the order round."},
    {"rotate", "(self, n=1, /)", typed<rotate>, "Moves n items from the right end to the left."},
};

static Value get_maxlen(Interpreter&, const Value& self) {
  int64_t most = deque_of(self).most;
  return most < 0 ? Value::none() : Value::integer(most);
}
static const NativeGetter kGetters[] = {{"maxlen", get_maxlen}};

// --- slots ---------------------------------------------------------------------------------------

static std::string deque_repr(Interpreter& vm, const Value& self) {
  Interpreter::Showing showing(vm, self);
  if (showing.inside()) return "[...]";
  Deque& deque = deque_of(self);
  std::string end = deque.most < 0 ? "])" : fmt::format("], maxlen={})", deque.most);
  return repr_items(vm, deque.type->name + "([", end, [&](size_t i, std::string& text) {
    if (i >= deque.size()) return false;
    Value item = deque.at(i);
    text += vm.repr(item);
    return true;
  });
}

static Value deque_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  Deque& deque = deque_of(self);
  Deque* right = as_deque(other);
  if (!right) return Value::not_implemented();
  vm.check_stack();
  auto left_items = deque.copy(), right_items = right->copy();
  return compare_rows(
      vm, op, [&]() -> auto& { return left_items; }, [&]() -> auto& { return right_items; });
}

static int64_t deque_length(Interpreter&, const Value& self) {
  return static_cast<int64_t>(deque_of(self).size());
}

static size_t position(Interpreter& vm, const Value& self, const Value& key) {
  if (!vm.has_index(key)) {
    vm.raise_type_error("sequence index must be integer, not '{}'", vm.type_name(key));
  }
  return static_cast<size_t>(sequence_index(vm, key, self, deque_length, kWords));
}

static Value deque_getitem(Interpreter& vm, const Value& self, const Value& key) {
  return deque_of(self).at(position(vm, self, key));
}

static void deque_setitem(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  deque_of(self).at(position(vm, self, key)) = item;
}

static void deque_delitem(Interpreter& vm, const Value& self, const Value& key) {
  deque_of(self).erase(position(vm, self, key));
}

static bool deque_contains(Interpreter& vm, const Value& self, const Value& item) {
  Deque& deque = deque_of(self);
  return find(vm, deque, item, 0, static_cast<int64_t>(deque.size())) >= 0;
}

static Value deque_iter(Interpreter& vm, const Value& self) {
  return iterator_over(vm, deque_of(self), false);
}

static Value iterator_next(Interpreter& vm, const Value& self) {
  auto& it = *self.as<DequeIterator>();
  if (it.changes != it.deque->changes) vm.raise_runtime_error("deque mutated during iteration");
  size_t size = it.deque->size();
  if (it.given >= size) return Value();
  size_t i = it.given++;
  return it.deque->at(it.backward ? size - 1 - i : i);
}

static Value repeated(Interpreter& vm, Deque& deque, const Value& times) {
  size_t count = repeat_count(vm, times, deque.size(), sizeof(Value));
  auto items = deque.copy();
  Ref<Deque> made = like(vm, deque, {});
  for (size_t i = 0; i < count; ++i) {
    push_all(vm, *made, items);
    vm.poll();
  }
  return made;
}

// Like the builtin sequences: an array, say, computes `deque + array` itself.
static Value let_number_answer(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  return is_deque(rhs) ? Value() : let_other_answer(vm, op, lhs, rhs, rhs);
}

static Value deque_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  bool left = is_deque(lhs);
  Deque& deque = deque_of(left ? lhs : rhs);
  const Value& other = left ? rhs : lhs;
  if (op == BinaryOp::add ? !left : op != BinaryOp::multiply) return Value::not_implemented();
  Value answer = left ? let_number_answer(vm, op, lhs, rhs) : Value();
  if (answer.is_defined()) return answer;
  if (op == BinaryOp::multiply) {
    return left || vm.has_index(other) ? repeated(vm, deque, other) : Value::not_implemented();
  }
  Deque* right = as_deque(other);
  if (!right) {
    vm.raise_type_error("can only concatenate deque (not \"{}\") to deque", vm.type_name(other));
  }
  Ref<Deque> both = like(vm, deque, deque.copy());
  push_all(vm, *both, right->copy());
  return both;
}

static Value repeat(Interpreter& vm, const Value& self, const Value& times) {
  Deque& deque = deque_of(self);
  size_t count = repeat_count(vm, times, deque.size(), sizeof(Value));
  auto items = deque.copy();
  if (count == 0) deque.take_all();
  for (size_t i = 1; i < count; ++i) {
    push_all(vm, deque, items);
    vm.poll();
  }
  return self;
}

static Value deque_inplace(Interpreter& vm, BinaryOp op, const Value& self, const Value& other) {
  if (op != BinaryOp::add && op != BinaryOp::multiply) return Value::not_implemented();
  Value answer = let_number_answer(vm, op, self, other);
  if (answer.is_defined()) return answer;
  if (op == BinaryOp::multiply) return repeat(vm, self, other);
  extend(vm, deque_of(self), other);
  return self;
}

static const Native kDeque = {"deque", "(cls, iterable=<()>, maxlen=None)", typed<make_deque>,
                              "Items with two ends: adding and taking there is quick."};

void add_deque(Interpreter& vm, Module& module) {
  Type* type = vm.make_type<Deque>({.name = "deque",
                                    .module = "collections",
                                    .doc = kDeque.doc,
                                    .slots = {.repr = deque_repr,
                                              .compare = deque_compare,
                                              .length = deque_length,
                                              .getitem = deque_getitem,
                                              .setitem = deque_setitem,
                                              .delitem = deque_delitem,
                                              .contains = deque_contains,
                                              .iter = deque_iter,
                                              .binary = deque_binary,
                                              .inplace = deque_inplace,
                                              .traverse = traverse_fields<Deque>},
                                    .methods = kMethods,
                                    .getters = kGetters,
                                    .constructor = &kDeque,
                                    .is_final = false});
  take_type_arguments(type);
  Type* iterator =
      vm.make_type<DequeIterator>({.name = "_deque_iterator",
                                   .module = "collections",
                                   .slots = {.iter = iterator_itself,
                                             .next = iterator_next,
                                             .traverse = traverse_fields<DequeIterator>}});
  type->set_attribute(vm.intern("_iterator"), Value(iterator));
  module.set(vm, "deque", Value(type));
}

}  // namespace gpy::lib
