// random.randrange, randint, getrandbits, randbytes.
#include "src/memory/pieces.h"
#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "stdlib/native/python_random/source.h"
#include "stdlib/native/system_bytes.h"

namespace gpy::lib {

static Value getrandbits(Interpreter& vm, RandomSource& source, int64_t count) {
  if (count < 0) vm.raise_value_error("number of bits must be non-negative");
  constexpr int64_t kMost = int64_t{1} << 32;
  if (count > kMost) vm.raise_memory_error("getrandbits: {} bits", count);
  return random_bits(vm, source, count);
}

static Value randbytes(Interpreter& vm, RandomSource& source, int64_t count) {
  if (count < 0) vm.raise_value_error("number of bits must be non-negative");
  if (source.of_system) return vm.bytes(system_bytes(vm, static_cast<size_t>(count)));
  std::string bytes;
  make_room(vm, bytes, static_cast<size_t>(count));
  InterruptPoll poll(vm);
  for (; count > 0; count -= 4) {
    poll.step();
    auto taken = static_cast<unsigned>(std::min<int64_t>(count, 4));
    uint64_t word = source.few_bits(taken * 8);
    for (unsigned i = 0; i < taken; ++i) bytes += static_cast<char>(word >> (8 * i));
  }
  return vm.bytes(std::move(bytes));
}

// A float that is an int counts as one.
static Value integer_argument(Interpreter& vm, const Value& v, const char* which) {
  if (vm.has_index(v)) return vm.to_index_value(v);
  Value whole = vm.call(Value(vm.types.integer), {v});
  if (!vm.equal(whole, v)) vm.raise_value_error("non-integer {} for randrange()", which);
  return whole;
}

static bool is_positive(Interpreter& vm, const Value& v) { return vm.less(Value::integer(0), v); }

static Value plus(Interpreter& vm, const Value& a, const Value& b) {
  return vm.binary(BinaryOp::add, a, b);
}

// start <= x < stop
static Value between(Interpreter& vm, RandomSource& source, const Value& start, const Value& stop) {
  Value width = vm.binary(BinaryOp::subtract, stop, start);
  if (is_positive(vm, width)) return plus(vm, start, random_below(vm, source, width));
  vm.raise_value_error("empty range for randrange() ({}, {}, {})", vm.repr(start), vm.repr(stop),
                       vm.repr(width));
}

static Value stepped(Interpreter& vm, RandomSource& source, const Value& start, const Value& stop,
                     const Value& step) {
  Value zero = Value::integer(0);
  if (vm.equal(step, zero)) vm.raise_value_error("zero step for randrange()");
  Value width = vm.binary(BinaryOp::subtract, stop, start);
  Value more = Value::integer(is_positive(vm, step) ? -1 : 1);
  Value count = vm.binary(BinaryOp::floor_divide, plus(vm, plus(vm, width, step), more), step);
  if (!is_positive(vm, count)) vm.raise_value_error("empty range for randrange()");
  Value chosen = random_below(vm, source, count);
  return plus(vm, start, vm.binary(BinaryOp::multiply, step, chosen));
}

static Value randrange(Interpreter& vm, RandomSource& source, const Value& first, const Value& end,
                       const Value& given_step) {
  Value start = integer_argument(vm, first, "arg 1");
  if (end.is_none()) {
    if (given_step.is_defined()) vm.raise_type_error("Missing a non-None stop argument");
    if (is_positive(vm, start)) return random_below(vm, source, start);
    vm.raise_value_error("empty range for randrange()");
  }
  Value stop = integer_argument(vm, end, "stop");
  Value step = Value::integer(1);
  if (given_step.is_defined()) step = integer_argument(vm, given_step, "step");
  if (vm.equal(step, Value::integer(1))) return between(vm, source, start, stop);
  return stepped(vm, source, start, stop, step);
}

static Value randint(Interpreter& vm, RandomSource& source, const Value& a, const Value& b) {
  bool small = a.is_integer() && b.is_integer() && a.as_integer() <= b.as_integer();
  uint64_t width =
      small ? static_cast<uint64_t>(b.as_integer()) - static_cast<uint64_t>(a.as_integer()) : 0;
  if (small && width < UINT64_MAX / 2) {
    return Value::integer(a.as_integer() + static_cast<int64_t>(random_below(source, width + 1)));
  }
  Value start = integer_argument(vm, a, "arg 1");
  return between(vm, source, start, integer_argument(vm, plus(vm, b, Value::integer(1)), "stop"));
}

static const Native kRows[] = {
    {"getrandbits", "(self, k, /)", typed<getrandbits>, "An int of k random bits."},
    {"randbytes", "(self, n)", typed<randbytes>, "n random bytes."},
    {"randint", "(self, a, b)", typed<randint>, "An int x with a <= x <= b."},
    {"randrange", "(self, start, stop=None, step=<1>)", typed<randrange>, "An item of range(...)."},
};

std::span<const Native> random_integer_rows() { return kRows; }

}  // namespace gpy::lib
