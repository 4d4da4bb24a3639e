// Equal numbers have equal hashes whatever their type: each is its value modulo 2^61 - 1, as in
// CPython ("Hashing of numeric types").
#include <cmath>

#include "src/interpreter.h"
#include "src/numbers/number.h"
#include "src/objects/int.h"

namespace gpy {

static constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
static constexpr int kPrimeBits = 61;

static int64_t never_minus_one(int64_t hash) { return hash == -1 ? -2 : hash; }

static int64_t with_sign(uint64_t rest, bool negative) {
  auto hash = static_cast<int64_t>(rest);
  return never_minus_one(negative ? -hash : hash);
}

static int64_t hash_small(int64_t number) {
  uint64_t magnitude = number < 0 ? 0 - static_cast<uint64_t>(number) : number;
  return with_sign(magnitude % kPrime, number < 0);
}

int64_t hash_real(double number) {
  constexpr int64_t kInfinity = 314159;
  if (std::isinf(number)) return number > 0 ? kInfinity : -kInfinity;
  if (std::isnan(number)) return 0;
  int exponent;
  double mantissa = std::fabs(std::frexp(number, &exponent));
  uint64_t rest = 0;
  constexpr int kChunk = 28;
  while (mantissa != 0) {
    rest = ((rest << kChunk) & kPrime) | rest >> (kPrimeBits - kChunk);
    mantissa *= 1 << kChunk;
    exponent -= kChunk;
    auto whole = static_cast<uint64_t>(mantissa);
    mantissa -= static_cast<double>(whole);
    rest += whole;
    if (rest >= kPrime) rest -= kPrime;
  }
  exponent =
      exponent >= 0 ? exponent % kPrimeBits : kPrimeBits - 1 - ((-1 - exponent) % kPrimeBits);
  rest = ((rest << exponent) & kPrime) | rest >> (kPrimeBits - exponent);
  return with_sign(rest, number < 0);
}

static int64_t hash_complex(const Complex& number) {
  constexpr uint64_t kImaginary = 1000003;
  auto hash = static_cast<uint64_t>(hash_real(number.real)) +
              kImaginary * static_cast<uint64_t>(hash_real(number.imag));
  return never_minus_one(static_cast<int64_t>(hash));
}

int64_t hash_number(const Value& number) {
  if (number.is_real()) return hash_real(number.as_real());
  if (const Complex* z = number.try_as<Complex>()) return hash_complex(*z);
  if (!number.is<Int>()) return hash_small(number.as_integer());
  const BigInt& big = number.as<Int>()->value;
  return with_sign(static_cast<uint64_t>(BigInt(abs(big) % kPrime)), big.sign() < 0);
}

}  // namespace gpy
