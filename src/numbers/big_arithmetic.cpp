#include "src/numbers/big_arithmetic.h"

#include <algorithm>
#include <vector>

#include "src/interpreter.h"

namespace gpy {

static constexpr size_t kLimbBits = 64;
// Products of limbs that one operation of the library may take: some milliseconds.
static constexpr size_t kMostProducts = 4 << 20;

static size_t limbs(const BigInt& number) { return number.backend().size(); }

static BigInt low_part(const BigInt& number, size_t bits) {
  BigInt mask = (BigInt(1) << bits) - 1;
  return number & mask;
}

// --- multiplication ------------------------------------------------------------------------------

static BigInt product(Interpreter& vm, const BigInt& a, const BigInt& b);

// The longer factor in pieces as long as the shorter.
static BigInt product_in_pieces(Interpreter& vm, const BigInt& longer, const BigInt& shorter) {
  size_t bits = limbs(shorter) * kLimbBits;
  BigInt result = 0, left = longer;
  for (size_t shift = 0; left != 0; shift += bits) {
    result += product(vm, low_part(left, bits), shorter) << shift;
    left >>= bits;
  }
  return result;
}

// Karatsuba's: three products of halves.
static BigInt product_of_halves(Interpreter& vm, const BigInt& a, const BigInt& b) {
  size_t bits = (std::max(limbs(a), limbs(b)) + 1) / 2 * kLimbBits;
  BigInt a0 = low_part(a, bits), a1 = a >> bits, b0 = low_part(b, bits), b1 = b >> bits;
  BigInt high = product(vm, a1, b1), low = product(vm, a0, b0);
  BigInt middle = product(vm, a0 + a1, b0 + b1) - high - low;
  return (high << 2 * bits) + (middle << bits) + low;
}

static BigInt product(Interpreter& vm, const BigInt& a, const BigInt& b) {
  vm.poll();
  if (limbs(a) < limbs(b)) return product(vm, b, a);
  if (limbs(a) * limbs(b) <= kMostProducts) return a * b;
  return limbs(a) > 2 * limbs(b) ? product_in_pieces(vm, a, b) : product_of_halves(vm, a, b);
}

BigInt multiply(Interpreter& vm, const BigInt& a, const BigInt& b) {
  if (limbs(a) * limbs(b) <= kMostProducts) return a * b;
  vm.claim(limbs(a) + limbs(b), kLimbBits / 8);
  BigInt result = product(vm, abs(a), abs(b));
  return a.sign() == b.sign() ? result : BigInt(-result);
}

BigInt power(Interpreter& vm, BigInt base, uint64_t exponent) {
  BigInt result = 1;
  for (; exponent; exponent >>= 1) {
    vm.poll();
    if (exponent & 1) result = multiply(vm, result, base);
    if (exponent > 1) base = multiply(vm, base, base);
  }
  return result;
}

// --- division ------------------------------------------------------------------------------------

// Long division whose digits are pieces of many limbs.
static void divide_magnitudes(Interpreter& vm, const BigInt& a, const BigInt& b, BigInt& quotient,
                              BigInt& remainder) {
  size_t bits = std::max<size_t>(kMostProducts / limbs(b), 1) * kLimbBits;
  quotient = remainder = 0;
  BigInt digit, rest;
  for (size_t piece = limbs(a) * kLimbBits / bits + 1; piece-- > 0;) {
    vm.poll();
    remainder = (remainder << bits) + low_part(BigInt(a >> piece * bits), bits);
    divide_qr(remainder, b, digit, rest);
    quotient = (quotient << bits) + digit;
    remainder = rest;
  }
}

void divide(Interpreter& vm, const BigInt& a, const BigInt& b, BigInt& quotient,
            BigInt& remainder) {
  if (limbs(a) * limbs(b) <= kMostProducts) return divide_qr(a, b, quotient, remainder);
  divide_magnitudes(vm, abs(a), abs(b), quotient, remainder);
  if (a.sign() != b.sign()) quotient = -quotient;
  if (a.sign() < 0) remainder = -remainder;
}

// --- bits ------------------------------------------------------------------------------------

unsigned bits_at(const BigInt& number, size_t position, unsigned count) {
  const auto* row = number.backend().limbs();
  const size_t limb = position / kLimbBits, shift = position % kLimbBits;
  uint64_t bits = limb < limbs(number) ? row[limb] >> shift : 0;
  if (shift + count > kLimbBits && limb + 1 < limbs(number)) {
    bits |= row[limb + 1] << (kLimbBits - shift);
  }
  return static_cast<unsigned>(bits) & ((1u << count) - 1);
}

// --- digits --------------------------------------------------------------------------------------

// A row of digits at a time from the end, each short enough for the library.
std::string decimal_digits(Interpreter& vm, const BigInt& number) {
  constexpr unsigned kDigits = 4000;
  if (limbs(number) * kLimbBits < 3 * kDigits) return number.str();
  const BigInt row = boost::multiprecision::pow(BigInt(10), kDigits);
  std::vector<std::string> rows;
  BigInt left = abs(number), quotient, remainder;
  for (; left >= row; left.swap(quotient)) {
    divide(vm, left, row, quotient, remainder);
    std::string digits = remainder.str();
    rows.push_back(std::string(kDigits - digits.size(), '0') + digits);
    vm.poll();
  }
  std::string text = (number < 0 ? "-" : "") + left.str();
  for (auto each = rows.rbegin(); each != rows.rend(); ++each) text += *each;
  return text;
}

}  // namespace gpy
