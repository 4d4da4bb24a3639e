#include "src/types/long_range.h"

#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "src/types/sequence.h"

namespace gpy {

namespace {

struct LongRange : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::long_range;
  LongRange(Type* type, RangeParts parts) : Object(type), parts(std::move(parts)) {
    layout = kLayout;  // differs from that of the type's usual objects
  }
  RangeParts parts;
};

struct LongRangeIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  LongRangeIterator(Type* type, Value next, Value step, Value remaining)
      : Object(type),
        next(std::move(next)),
        step(std::move(step)),
        remaining(std::move(remaining)) {}
  Value next, step, remaining;
};

// Arithmetic of ints of any size.
struct Ints {
  Interpreter& vm;
  Value add(const Value& a, const Value& b) const { return vm.binary(BinaryOp::add, a, b); }
  Value subtract(const Value& a, const Value& b) const {
    return vm.binary(BinaryOp::subtract, a, b);
  }
  Value multiply(const Value& a, const Value& b) const {
    return vm.binary(BinaryOp::multiply, a, b);
  }
  Value divide(const Value& a, const Value& b) const {
    return vm.binary(BinaryOp::floor_divide, a, b);
  }
  bool less(const Value& a, const Value& b) const { return vm.less(a, b); }
  bool negative(const Value& a) const { return vm.less(a, zero); }
  Value zero = Value::integer(0), one = Value::integer(1);
};

}  // namespace

static Value length_of(const Ints& ints, const RangeParts& r) {
  bool down = ints.negative(r.step);
  const Value &low = down ? r.stop : r.start, &high = down ? r.start : r.stop;
  if (!ints.less(low, high)) return ints.zero;
  Value stride = down ? ints.subtract(ints.zero, r.step) : r.step;
  Value last = ints.subtract(ints.subtract(high, low), ints.one);
  return ints.add(ints.divide(last, stride), ints.one);
}

bool is_long_range(const Value& v) { return v.is<LongRange>(); }

static const RangeParts& parts_of(const Value& v) { return v.as<LongRange>()->parts; }

Value make_long_range(Interpreter& vm, Value start, Value stop, Value step) {
  RangeParts parts{std::move(start), std::move(stop), std::move(step), Value()};
  parts.length = length_of({vm}, parts);
  if (parts.start.is_integer() && parts.stop.is_integer() && parts.step.is_integer() &&
      parts.length.is_integer()) {
    return vm.make<Range>(vm.types.range, parts.start.as_integer(), parts.stop.as_integer(),
                          parts.step.as_integer());
  }
  return vm.make<LongRange>(vm.types.range, std::move(parts));
}

RangeParts range_parts(const Value& range) {
  if (!range.is<Range>()) return parts_of(range);
  const auto& r = *range.as<Range>();
  return {Value::integer(r.start), Value::integer(r.stop), Value::integer(r.step),
          Value::integer(r.length)};
}

static Value item_at(const Ints& ints, const RangeParts& r, const Value& position) {
  return ints.add(r.start, ints.multiply(position, r.step));
}

// --- slices --------------------------------------------------------------------------------------

static Value slice_part(Interpreter& vm, const Value& part, const Value& missing) {
  if (part.is_none()) return missing;
  if (vm.has_index(part)) return vm.to_index_value(part);
  vm.raise_type_error("slice indices must be integers or None or have an __index__ method");
}

static Value clipped(const Ints& ints, Value bound, const RangeParts& r, const Value& lowest,
                     const Value& highest) {
  if (ints.negative(bound)) bound = ints.add(bound, r.length);
  if (ints.less(bound, lowest)) return lowest;
  return ints.less(highest, bound) ? highest : bound;
}

static Value sliced(Interpreter& vm, const RangeParts& r, const Slice& slice) {
  Ints ints{vm};
  Value step = slice_part(vm, slice.step, ints.one);
  if (vm.equal(step, ints.zero)) vm.raise_value_error("slice step cannot be zero");
  bool down = ints.negative(step);
  Value lowest = down ? Value::integer(-1) : ints.zero;
  Value highest = down ? ints.subtract(r.length, ints.one) : r.length;
  Value start = slice.start.is_none()
                    ? (down ? highest : lowest)
                    : clipped(ints, slice_part(vm, slice.start, Value()), r, lowest, highest);
  Value stop = slice.stop.is_none()
                   ? (down ? lowest : highest)
                   : clipped(ints, slice_part(vm, slice.stop, Value()), r, lowest, highest);
  return make_long_range(vm, item_at(ints, r, start), item_at(ints, r, stop),
                         ints.multiply(step, r.step));
}

Value long_range_getitem(Interpreter& vm, const Value& self, const Value& key) {
  RangeParts r = range_parts(self);
  if (const Slice* slice = key.try_as<Slice>()) return sliced(vm, r, *slice);
  if (!vm.has_index(key)) {
    vm.raise_type_error("range indices must be integers or slices, not {}", vm.type_name(key));
  }
  Ints ints{vm};
  Value index = vm.to_index_value(key);
  if (ints.negative(index)) index = ints.add(index, r.length);
  if (ints.negative(index) || !ints.less(index, r.length)) {
    vm.raise_index_error("range object index out of range");
  }
  return item_at(ints, r, index);
}

Value long_range_position(Interpreter& vm, const Value& self, const Value& number) {
  RangeParts r = range_parts(self);
  Ints ints{vm};
  Value distance = ints.subtract(number, r.start);
  Value rest = vm.binary(BinaryOp::remainder, distance, r.step);
  if (!vm.equal(rest, ints.zero)) return Value();
  Value index = ints.divide(distance, r.step);
  return ints.negative(index) || !ints.less(index, r.length) ? Value() : index;
}

// --- the iterator --------------------------------------------------------------------------------

Value long_range_iter(Interpreter& vm, const Value& self, bool backward) {
  RangeParts r = range_parts(self);
  Ints ints{vm};
  if (!backward) {
    return vm.make<LongRangeIterator>(vm.types.long_range_iterator, r.start, r.step, r.length);
  }
  Value last = item_at(ints, r, ints.subtract(r.length, ints.one));
  return vm.make<LongRangeIterator>(vm.types.long_range_iterator, last,
                                    ints.subtract(ints.zero, r.step), r.length);
}

static Value iterator_next(Interpreter& vm, const Value& iterator) {
  auto* it = iterator.as<LongRangeIterator>();
  Ints ints{vm};
  if (!ints.less(ints.zero, it->remaining)) return Value();
  Value number = it->next;
  it->next = ints.add(number, it->step);
  it->remaining = ints.subtract(it->remaining, ints.one);
  return number;
}

static Value iterator_hint(Interpreter&, LongRangeIterator& self) { return self.remaining; }

static const Native kIteratorMethods[] = {
    {"__length_hint__", "(self, /)", typed<iterator_hint>, "How many numbers are left."},
};

void setup_long_range_iterator(Interpreter& vm) {
  vm.types.long_range_iterator =
      vm.make_type<LongRangeIterator>({.name = "longrange_iterator",
                                       .slots = {.iter = iterator_itself, .next = iterator_next},
                                       .methods = kIteratorMethods});
}

// --- the end -------------------------------------------------------------------------------------

void destroy_range(Object* self) {
  if (self->layout == ObjectLayout::range) {
    Interpreter::end_object<Range>(self);
  } else {
    Interpreter::end_object<LongRange>(self);
  }
}

}  // namespace gpy
