// The type range and its iterator.
#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "src/types/long_range.h"
#include "src/types/sequence.h"
#include "src/types/setup.h"

namespace gpy {

static const SequenceWords kWords = {"range indices must be integers or slices",
                                     "range object index out of range"};

static Value make_range(Interpreter& vm, const Value&, std::span<const Value> given) {
  const size_t count = given.size();
  if (count == 0) vm.raise_type_error("range expected at least 1 argument, got 0");
  if (count > 3) vm.raise_type_error("range expected at most 3 arguments, got {}", count);
  Value first = vm.to_index_value(given[0]), one = Value::integer(1);
  if (count == 1) return make_long_range(vm, Value::integer(0), first, one);
  Value stop = vm.to_index_value(given[1]);
  Value step = count == 3 ? vm.to_index_value(given[2]) : one;
  if (step.same(Value::integer(0))) vm.raise_value_error("range() arg 3 must not be zero");
  return make_long_range(vm, first, stop, step);
}

// A range of small ints whose difference fits as well.
static Value quick_range(Interpreter& vm, std::span<const Value> arguments) {
  constexpr int64_t kMost = INT64_MAX / 2;
  std::span<const Value> given = arguments.subspan(1);
  if (given.empty() || given.size() > 3) return Value();
  for (const Value& each : given) {
    if (!each.is_integer() || each.as_integer() > kMost || each.as_integer() < -kMost) {
      return Value();
    }
  }
  const int64_t start = given.size() == 1 ? 0 : given[0].as_integer();
  const int64_t stop = given[given.size() == 1 ? 0 : 1].as_integer();
  const int64_t step = given.size() == 3 ? given[2].as_integer() : 1;
  return step == 0 ? Value() : vm.make<Range>(vm.types.range, start, stop, step);
}

static const Native kConstructor = {
    "range",           "(cls, /, *args)",
    typed<make_range>, "range(stop) or range(start, stop[, step]): ints at equal steps.",
    Native::instance,  quick_range};

static std::string range_repr(Interpreter& vm, const Value& self) {
  RangeParts r = range_parts(self);
  std::string ends = vm.repr(r.start) + ", " + vm.repr(r.stop);
  if (r.step.same(Value::integer(1))) return "range(" + ends + ")";
  return "range(" + ends + ", " + vm.repr(r.step) + ")";
}

static int64_t range_length(Interpreter& vm, const Value& self) {
  if (const Range* r = self.try_as<Range>()) return r->length;
  return vm.to_index(range_parts(self).length);
}

static bool range_truth(Interpreter& vm, const Value& self) {
  return is_long_range(self) ? vm.truth(range_parts(self).length) : self.as<Range>()->length > 0;
}

// A value that is equal for ranges of the same ints.
static Value essence(Interpreter& vm, const Value& range) {
  RangeParts r = range_parts(range);
  Value none = Value::none(), one = Value::integer(1);
  bool some = vm.truth(r.length), several = vm.less(one, r.length);
  return vm.tuple({r.length, some ? r.start : none, several ? r.step : none});
}

static Value range_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || vm.type_of(other) != vm.types.range) return Value::not_implemented();
  return vm.compare(op, essence(vm, self), essence(vm, other));
}

static int64_t range_hash(Interpreter& vm, const Value& self) { return vm.hash(essence(vm, self)); }

// Whether computing with the bounds could exceed 64 bits.
static bool is_wide(const Range& r) {
  constexpr int64_t kMost = int64_t{1} << 31;
  auto wide = [](int64_t i) { return i > kMost || i < -kMost; };
  return wide(r.start) || wide(r.stop) || wide(r.step);
}

static bool is_short(const Value& v) {
  return v.is_none() ||
         (v.is_integer() && v.as_integer() < INT32_MAX && v.as_integer() > INT32_MIN);
}

static Value range_getitem(Interpreter& vm, const Value& self, const Value& key) {
  if (is_long_range(self)) return long_range_getitem(vm, self, key);
  const auto& r = *self.as<Range>();
  const Slice* slice = key.try_as<Slice>();
  if (!slice && (key.is_integer() || !vm.has_index(key))) {
    return Value::integer(r.at(sequence_index(vm, key, r.length, kWords)));
  }
  if (!slice || is_wide(r) || !is_short(slice->start) || !is_short(slice->stop) ||
      !is_short(slice->step)) {
    return long_range_getitem(vm, self, key);
  }
  auto indices = slice->indices(vm, r.length);
  return vm.make<Range>(vm.types.range, r.start + indices.start * r.step,
                        r.start + indices.stop * r.step, r.step * indices.step);
}

// The position, undefined when not in the range. A value that is no int is compared with each item.
static Value find(Interpreter& vm, const Value& self, const Value& item) {
  bool exact = item.is_integer() || item.is_boolean() || vm.type_of(item) == vm.types.integer;
  if (exact) return long_range_position(vm, self, item);
  Value iterator = vm.iterate(self), position = Value::integer(0), one = Value::integer(1);
  for (Value number = vm.next(iterator); number.is_defined(); number = vm.next(iterator)) {
    if (vm.equal(number, item)) return position;
    position = vm.binary(BinaryOp::add, position, one);
  }
  return Value();
}

// The usual case of an int in a range of small ints is computed here.
static bool range_contains(Interpreter& vm, const Value& self, const Value& item) {
  if (!self.is<Range>() || !item.is_integer()) return find(vm, self, item).is_defined();
  const auto& r = *self.as<Range>();
  if (r.length == 0) return false;
  auto distance = static_cast<__int128>(item.as_integer()) - r.start;
  auto index = distance / r.step;
  return distance % r.step == 0 && index >= 0 && index < r.length;
}

static Value range_index(Interpreter& vm, const Value& self, const Value& value) {
  Value at = find(vm, self, value);
  if (at.is_defined()) return at;
  if (!is_int(value)) vm.raise_value_error("sequence.index(x): x not in sequence");
  vm.raise_value_error("{} is not in range", vm.repr(value));
}

static Value range_count(Interpreter& vm, const Value& self, const Value& value) {
  return Value::integer(find(vm, self, value).is_defined());
}

static Value range_iter(Interpreter& vm, const Value& self) {
  const Range* r = self.try_as<Range>();
  if (!r) return long_range_iter(vm, self);
  return vm.make<RangeIterator>(vm.types.range_iterator, r->start, r->step, r->length);
}

static Value range_reversed(Interpreter& vm, const Value& self) {
  const Range* r = self.try_as<Range>();
  bool empty = r && r->length == 0;
  if (!empty && (!r || r->step == INT64_MIN)) return long_range_iter(vm, self, true);
  return vm.make<RangeIterator>(vm.types.range_iterator, empty ? 0 : r->at(r->length - 1),
                                empty ? 1 : -r->step, r->length);
}

static Value range_iterator_next(Interpreter&, const Value& self) {
  auto* it = self.as<RangeIterator>();
  return it->remaining > 0 ? Value::integer(it->take()) : Value();
}

static Value range_iterator_hint(Interpreter&, RangeIterator& self) {
  return Value::integer(self.remaining);
}

static const Native kIteratorMethods[] = {
    {"__length_hint__", "(self, /)", typed<range_iterator_hint>, "How many numbers are left."},
};

static const Native kMethods[] = {
    {"__reversed__", "(self, /)", typed<range_reversed>, "From the last to the first."},
    {"count", "(self, value, /)", typed<range_count>, "1 if the number is in it, else 0."},
    {"index", "(self, value, /)", typed<range_index>,
     "The position of a number; ValueError if it is not there."},
};

static Value range_start(Interpreter&, const Value& self) { return range_parts(self).start; }
static Value range_stop(Interpreter&, const Value& self) { return range_parts(self).stop; }
static Value range_step(Interpreter&, const Value& self) { return range_parts(self).step; }

static const NativeGetter kGetters[] = {
    {"start", range_start},
    {"stop", range_stop},
    {"step", range_step},
};

void setup_range(Interpreter& vm) {
  vm.types.range = vm.make_type({.name = "range",
                                 .doc = "Ints at equal steps, made as they are asked for.",
                                 .slots = {.repr = range_repr,
                                           .hash = range_hash,
                                           .compare = range_compare,
                                           .truth = range_truth,
                                           .length = range_length,
                                           .getitem = range_getitem,
                                           .contains = range_contains,
                                           .iter = range_iter},
                                 .methods = kMethods,
                                 .getters = kGetters,
                                 .constructor = &kConstructor},
                                ObjectLayout::range, destroy_range);
  vm.types.range_iterator =
      vm.make_type<RangeIterator>({.name = "range_iterator",
                                   .slots = {.iter = iterator_itself, .next = range_iterator_next},
                                   .methods = kIteratorMethods});
  setup_long_range_iterator(vm);
}

}  // namespace gpy
