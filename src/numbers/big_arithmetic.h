#pragma once
// Arithmetic on huge ints in pieces, between which interrupts and limits are checked. The numbers,
// and the operations on pieces, are the library's.

#include <string>
#include <string_view>

#include "src/objects/int.h"

namespace gpy {

BigInt multiply(Interpreter& vm, const BigInt& a, const BigInt& b);
// Rounded towards zero, as divide_qr: the remainder has the dividend's sign.
void divide(Interpreter& vm, const BigInt& a, const BigInt& b, BigInt& quotient, BigInt& remainder);
BigInt power(Interpreter& vm, BigInt base, uint64_t exponent);
BigInt greatest_divisor(Interpreter& vm, BigInt a, BigInt b);
// The root, rounded down, of a number that is not negative.
BigInt square_root(Interpreter& vm, const BigInt& number);
// `count` of the magnitude's bits from `position` on, 8 at most.
unsigned bits_at(const BigInt& number, size_t position, unsigned count);
int64_t bit_count(const BigInt& number);
std::string decimal_digits(Interpreter& vm, const BigInt& number);
// The number with these digits, each below `base`, the highest first.
BigInt from_digits(Interpreter& vm, std::string_view digits, unsigned base);

}  // namespace gpy
