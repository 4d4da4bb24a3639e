#include "src/numbers/big_arithmetic.h"

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

#include "src/memory/pieces.h"

namespace gpy {

using BigLimb = std::remove_cvref_t<decltype(*BigInt().backend().limbs())>;
static constexpr size_t kLimbBits = 64;
static_assert(sizeof(BigLimb) * 8 == kLimbBits);
// The products of limbs that one operation of the big int library may take: some milliseconds.
static constexpr size_t kMostProducts = 4 << 20;

static size_t limbs(const BigInt& number) { return number.backend().size(); }

static BigInt low_part(const BigInt& number, size_t bits) {
  BigInt mask = (BigInt(1) << bits) - 1;
  return number & mask;
}

// --- multiplication ------------------------------------------------------------------------------

static BigInt product(Interpreter& vm, const BigInt& a, const BigInt& b);

// Splits the longer factor into pieces as long as the shorter one.
static BigInt product_in_pieces(Interpreter& vm, const BigInt& longer, const BigInt& shorter) {
  size_t bits = limbs(shorter) * kLimbBits;
  BigInt result = 0, left = longer;
  for (size_t shift = 0; left != 0; shift += bits) {
    result += product(vm, low_part(left, bits), shorter) << shift;
    left >>= bits;
  }
  return result;
}

// Karatsuba's method: three products of halves.
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
  poll_interrupt(vm);
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

static BigInt from_limbs(std::span<const BigLimb> row) {
  BigInt number;
  auto& backend = number.backend();
  const auto count = static_cast<unsigned>(std::max<size_t>(row.size(), 1));
  backend.resize(count, count);
  backend.limbs()[0] = 0;
  std::copy(row.begin(), row.end(), backend.limbs());
  backend.normalize();
  return number;
}

// The library visits, for each limb of a quotient, all limbs of the remaining dividend, which
// should therefore not be much longer than the divisor.
static size_t limbs_of_digit(size_t divisor) {
  constexpr size_t kLeast = 64;
  const size_t most = std::max<size_t>(kMostProducts / (2 * divisor), 1);
  return std::min(std::max(divisor, kLeast), most);
}

// Long division whose digits are pieces of many limbs.
static void divide_magnitudes(Interpreter& vm, const BigInt& a, const BigInt& b, BigInt& quotient,
                              BigInt& remainder) {
  const size_t length = limbs_of_digit(limbs(b)), pieces = (limbs(a) + length - 1) / length;
  const std::span<const BigLimb> dividend(a.backend().limbs(), limbs(a));
  std::vector<BigLimb> digits(pieces * length);
  BigInt digit, rest;
  remainder = 0;
  for (size_t piece = pieces; piece-- > 0;) {
    vm.poll();
    const size_t from = piece * length, count = std::min(length, limbs(a) - from);
    remainder = (remainder << count * kLimbBits) + from_limbs(dividend.subspan(from, count));
    divide_qr(remainder, b, digit, rest);
    std::copy_n(digit.backend().limbs(), limbs(digit), digits.begin() + static_cast<int64_t>(from));
    remainder.swap(rest);
  }
  quotient = from_limbs(digits);
}

static bool is_short(size_t dividend, size_t divisor) {
  if (divisor == 1 || dividend <= divisor) return true;
  return dividend * (dividend - divisor) <= kMostProducts / 4;
}

void divide(Interpreter& vm, const BigInt& a, const BigInt& b, BigInt& quotient,
            BigInt& remainder) {
  poll_interrupt(vm);
  if (is_short(limbs(a), limbs(b))) return divide_qr(a, b, quotient, remainder);
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

int64_t bit_count(const BigInt& number) {
  const auto* row = number.backend().limbs();
  int64_t count = 0;
  for (size_t i = 0; i < limbs(number); ++i) count += __builtin_popcountll(row[i]);
  return count;
}

// --- digits --------------------------------------------------------------------------------------

// Takes one row of digits at a time from the end, each short enough for the library.
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

// The number of digits up to which the schoolbook method is used.
static constexpr size_t kFewDigits = 512;

static BigInt from_few_digits(std::string_view digits, unsigned base) {
  BigInt number = 0;
  uint64_t part = 0, scale = 1;
  for (char digit : digits) {
    part = part * base + static_cast<unsigned char>(digit);
    scale *= base;
    if (scale > (uint64_t{1} << 56)) {
      number = number * scale + part;
      part = 0, scale = 1;
    }
  }
  return number * scale + part;
}

// Converts halves first: the lower has kFewDigits << k digits; powers[k] is the base to that power.
static BigInt from_halves(Interpreter& vm, std::string_view digits, unsigned base,
                          std::span<const BigInt> powers) {
  vm.poll();
  if (digits.size() <= kFewDigits) return from_few_digits(digits, base);
  while (kFewDigits << (powers.size() - 1) >= digits.size())
    powers = powers.first(powers.size() - 1);
  const size_t high = digits.size() - (kFewDigits << (powers.size() - 1));
  return multiply(vm, from_halves(vm, digits.substr(0, high), base, powers), powers.back()) +
         from_halves(vm, digits.substr(high), base, powers);
}

BigInt from_digits(Interpreter& vm, std::string_view digits, unsigned base) {
  if (digits.size() <= kFewDigits) return from_few_digits(digits, base);
  std::vector<BigInt> powers{boost::multiprecision::pow(BigInt(base), kFewDigits)};
  for (size_t reach = 2 * kFewDigits; reach < digits.size(); reach *= 2) {
    powers.push_back(multiply(vm, powers.back(), powers.back()));
  }
  return from_halves(vm, digits, base, powers);
}

}  // namespace gpy
