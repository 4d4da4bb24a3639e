// count, cycle, repeat: iterators that need not end.
#include "src/numbers/number.h"
#include "src/numbers/plus.h"
#include "src/typed_native.h"
#include "stdlib/native/itertools/itertools.h"

namespace gpy::lib {

namespace {

struct Count : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Count(Type* type, Value next, Value step)
      : Object(type), next(std::move(next)), step(std::move(step)) {}
  Value next, step;
  template <class F> void each_field(F&& f) { f(next), f(step); }
};

struct Cycle : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Cycle(Type* type, Value iterator)
      : Object(type), iterator(std::move(iterator)), noted(type->vm->heap) {}
  Value iterator;  // undefined once all items are in `saved`
  std::vector<Value> saved;
  NotedBytes noted;
  size_t position = 0;
  template <class F> void each_field(F&& f) { f(iterator), f(saved); }
};

struct Repeat : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  Repeat(Type* type, Value item, int64_t left) : Object(type), item(std::move(item)), left(left) {}
  Value item;
  int64_t left;  // -1: for ever
  template <class F> void each_field(F&& f) { f(item); }
};

}  // namespace

// --- count ---------------------------------------------------------------------------------------

static bool counts(Interpreter& vm, const Value& v) {
  const Slots& slots = vm.type_of(v)->slots;
  return is_number(v) || slots.index || slots.to_float || slots.to_complex;
}

static Value make_count(Interpreter& vm, Type& cls, const Value& start, const Value& step) {
  if (!counts(vm, start) || !counts(vm, step)) vm.raise_type_error("a number is required");
  return vm.make<Count>(&cls, start, step);
}

static Value count_next(Interpreter& vm, const Value& self) {
  auto& count = *self.as<Count>();
  Value item = count.next;
  count.next = plus(vm, item, count.step);
  return item;
}

static std::string count_repr(Interpreter& vm, const Value& self) {
  auto& count = *self.as<Count>();
  if (count.step.is_integer() && count.step.as_integer() == 1) {
    return fmt::format("count({})", vm.repr(count.next));
  }
  return fmt::format("count({}, {})", vm.repr(count.next), vm.repr(count.step));
}

static const Native kCount = {"count", "(cls, start=0, step=1)", typed<make_count>,
                              "start, start + step, start + 2 * step and so on."};

// --- cycle ---------------------------------------------------------------------------------------

static Value make_cycle(Interpreter& vm, Type& cls, const Value& iterable) {
  return vm.make<Cycle>(&cls, vm.iterate(iterable));
}

static Value cycle_next(Interpreter& vm, const Value& self) {
  auto& cycle = *self.as<Cycle>();
  if (cycle.iterator.is_defined()) {
    Value item = vm.next(cycle.iterator);
    if (item.is_defined()) {
      append_item(vm, cycle.saved, item);
      cycle.noted.set(cycle.saved.capacity() * sizeof(Value));
      return item;
    }
    cycle.iterator = Value();
  }
  if (cycle.saved.empty()) return Value();
  if (cycle.position == cycle.saved.size()) cycle.position = 0;
  return cycle.saved[cycle.position++];
}

static const Native kCycle = {"cycle", "(cls, iterable, /)", typed<make_cycle>,
                              "The items of iterable, again and again."};

// --- repeat --------------------------------------------------------------------------------------

static Value make_repeat(Interpreter& vm, Type& cls, const Value& item, const Value& times) {
  const int64_t left = times.is_defined() ? std::max<int64_t>(vm.to_index(times), 0) : -1;
  return vm.make<Repeat>(&cls, item, left);
}

static Value repeat_next(Interpreter&, const Value& self) {
  auto& repeat = *self.as<Repeat>();
  if (repeat.left == 0) return Value();
  if (repeat.left > 0) --repeat.left;
  return repeat.item;
}

static std::string repeat_repr(Interpreter& vm, const Value& self) {
  auto& repeat = *self.as<Repeat>();
  if (repeat.left < 0) return fmt::format("repeat({})", vm.repr(repeat.item));
  return fmt::format("repeat({}, {})", vm.repr(repeat.item), repeat.left);
}

static Value repeat_length_hint(Interpreter& vm, Repeat& self) {
  if (self.left < 0) vm.raise_type_error("len() of unsized object");
  return Value::integer(self.left);
}

static const Native kRepeat = {"repeat", "(cls, object, times=<omitted>)", typed<make_repeat>,
                               "The object, again and again, or times times."};
static const Native kRepeatMethods[] = {
    {"__length_hint__", "(self, /)", typed<repeat_length_hint>, "How many times are left."}};

void add_counting(Interpreter& vm, Module& module) {
  add_iterator<Count>(vm, module, kCount, count_next, {.slots = {.repr = count_repr}});
  add_iterator<Cycle>(vm, module, kCycle, cycle_next);
  add_iterator<Repeat>(vm, module, kRepeat, repeat_next,
                       {.slots = {.repr = repeat_repr}, .methods = kRepeatMethods});
}

}  // namespace gpy::lib
