#pragma once
// random.Random: its state, and declarations that its files share.

#include <cmath>

#include "runtime/random/mt19937.h"
#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "stdlib/native/fields.h"

namespace gpy::lib {

struct RandomSource : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  explicit RandomSource(Type* type) : Object(type), bits(5489u) {}
  rt::Mt19937 bits;
  Value gauss_next = Value::none();
  bool of_system = false;  // SystemRandom: bits of the operating system
  template <class F> void each_field(F&& f) { f(gauss_next); }

  double uniform();                   // 0 <= x < 1, 53 bits
  uint64_t few_bits(unsigned count);  // at most 64
};

void seed_source(Interpreter& vm, RandomSource& source, const Value& seed, bool first_version);
Value random_bits(Interpreter& vm, RandomSource& source, int64_t count);  // an int of any size
Value random_below(Interpreter& vm, RandomSource& source, const Value& limit);
// 0 <= x < limit
inline uint64_t random_below(RandomSource& source, uint64_t limit) {
  unsigned bits = 64 - static_cast<unsigned>(__builtin_clzll(limit));
  uint64_t number = source.few_bits(bits);
  while (number >= limit) number = source.few_bits(bits);
  return number;
}

std::span<const Native> random_state_rows();
std::span<const Native> random_integer_rows();
std::span<const Native> random_choice_rows();
std::span<const Native> random_distribution_rows();

}  // namespace gpy::lib
