// The type range and its iterator.
#include "src/types/sequence.h"
#include "src/types/setup.h"

namespace gpy {

static const SequenceWords kWords = {"range indices must be integers or slices",
                                     "range object index out of range"};

static Value make(Interpreter& vm, int64_t start, int64_t stop, int64_t step) {
  return vm.make<Range>(vm.types.range, start, stop, step);
}

static Value make_range(Interpreter& vm, Args args) {
  Tuple& given = *args[1].as<Tuple>();
  if (given.size == 0) vm.raise_type_error("range expected at least 1 argument, got 0");
  if (given.size > 3) vm.raise_type_error("range expected at most 3 arguments, got {}", given.size);
  int64_t first = vm.to_index(given[0]);
  if (given.size == 1) return make(vm, 0, first, 1);
  int64_t stop = vm.to_index(given[1]);
  int64_t step = given.size == 3 ? vm.to_index(given[2]) : 1;
  if (step == 0) vm.raise_value_error("range() arg 3 must not be zero");
  return make(vm, first, stop, step);
}

static const Native kConstructor = {
    "range", "(cls, /, *args)", make_range,
    "range(stop) or range(start, stop[, step]): ints at equal steps."};

static std::string range_repr(Interpreter&, const Value& self) {
  const auto* r = self.as<Range>();
  if (r->step == 1) return fmt::format("range({}, {})", r->start, r->stop);
  return fmt::format("range({}, {}, {})", r->start, r->stop, r->step);
}

static int64_t range_length(Interpreter&, const Value& self) { return self.as<Range>()->length; }

// Equal ranges give the same ints.
static Value essence(Interpreter& vm, const Range& r) {
  Value none = Value::none();
  return vm.tuple({Value::integer(r.length), r.length > 0 ? Value::integer(r.start) : none,
                   r.length > 1 ? Value::integer(r.step) : none});
}

static Value range_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || !other.is<Range>()) return Value::not_implemented();
  return vm.compare(op, essence(vm, *self.as<Range>()), essence(vm, *other.as<Range>()));
}

static int64_t range_hash(Interpreter& vm, const Value& self) {
  return vm.hash(essence(vm, *self.as<Range>()));
}

static Value range_slice(Interpreter& vm, const Range& r, const Slice& slice) {
  auto indices = slice.indices(vm, r.length);
  int64_t step = r.step * indices.step;
  int64_t start = r.start + indices.start * r.step;
  return make(vm, start, r.start + indices.stop * r.step, step);
}

static Value range_getitem(Interpreter& vm, const Value& self, const Value& key) {
  const auto& r = *self.as<Range>();
  if (const Slice* slice = key.try_as<Slice>()) return range_slice(vm, r, *slice);
  return Value::integer(r.at(sequence_index(vm, key, r.length, kWords)));
}

// -1 when the number is not among them.
static int64_t position(const Range& r, int64_t number) {
  if (r.length == 0) return -1;
  auto distance = static_cast<__int128>(number) - r.start;
  if (distance % r.step != 0) return -1;
  auto index = distance / r.step;
  return index >= 0 && index < r.length ? static_cast<int64_t>(index) : -1;
}

static int64_t find(Interpreter& vm, const Value& self, const Value& item) {
  const auto& r = *self.as<Range>();
  if (item.is_integer() || item.is_boolean()) return position(r, item.as_integer());
  for (int64_t i = 0; i < r.length; ++i) {
    if (vm.equal(Value::integer(r.at(i)), item)) return i;
    vm.poll();
  }
  return -1;
}

static bool range_contains(Interpreter& vm, const Value& self, const Value& item) {
  return find(vm, self, item) >= 0;
}

static Value range_index(Interpreter& vm, Args args) {
  int64_t at = find(vm, args[0], args[1]);
  if (at < 0) vm.raise_value_error("{} is not in range", vm.repr(args[1]));
  return Value::integer(at);
}

static Value range_count(Interpreter& vm, Args args) {
  return Value::integer(find(vm, args[0], args[1]) >= 0);
}

static Value range_iter(Interpreter& vm, const Value& self) {
  const auto* r = self.as<Range>();
  return vm.make<RangeIterator>(vm.types.range_iterator, r->start, r->step, r->length);
}

static Value range_iterator_next(Interpreter&, const Value& self) {
  auto* it = self.as<RangeIterator>();
  if (it->remaining == 0) return Value();
  --it->remaining;
  int64_t number = it->next;
  it->next = static_cast<int64_t>(static_cast<uint64_t>(number) + static_cast<uint64_t>(it->step));
  return Value::integer(number);
}

static const Native kMethods[] = {
    {"count", "(self, value, /)", range_count, "1 if the number is in it, else 0."},
    {"index", "(self, value, /)", range_index,
     "The position of a number; ValueError if it is not there."},
};

static Value range_start(Interpreter&, const Value& self) {
  return Value::integer(self.as<Range>()->start);
}
static Value range_stop(Interpreter&, const Value& self) {
  return Value::integer(self.as<Range>()->stop);
}
static Value range_step(Interpreter&, const Value& self) {
  return Value::integer(self.as<Range>()->step);
}

static const NativeGetter kGetters[] = {
    {"start", range_start},
    {"stop", range_stop},
    {"step", range_step},
};

void setup_range(Interpreter& vm) {
  vm.types.range = vm.make_type<Range>({.name = "range",
                                        .doc = "Ints at equal steps, made as they are asked for.",
                                        .slots = {.repr = range_repr,
                                                  .hash = range_hash,
                                                  .compare = range_compare,
                                                  .length = range_length,
                                                  .getitem = range_getitem,
                                                  .contains = range_contains,
                                                  .iter = range_iter},
                                        .methods = kMethods,
                                        .getters = kGetters,
                                        .constructor = &kConstructor});
  vm.types.range_iterator = vm.make_type<RangeIterator>(
      {.name = "range_iterator", .slots = {.iter = iterator_itself, .next = range_iterator_next}});
}

}  // namespace gpy
