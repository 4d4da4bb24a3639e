#pragma once
// Arithmetic on huge ints in pieces, between which interrupts and limits are looked at. The numbers
// are the library's; so are the pieces.

#include <string>
#include <string_view>

#include "src/objects/int.h"

namespace gpy {

BigInt multiply(Interpreter& vm, const BigInt& a, const BigInt& b);
// Rounded towards zero, as divide_qr: the remainder has the dividend's sign.
void divide(Interpreter& vm, const BigInt& a, const BigInt& b, BigInt& quotient, BigInt& remainder);
BigInt power(Interpreter& vm, BigInt base, uint64_t exponent);
BigInt greatest_divisor(Interpreter& vm, BigInt a, BigInt b);
// Of a number that is not negative, rounded down.
BigInt square_root(Interpreter& vm, const BigInt& number);
// `count` of the magnitude's bits from `position` on, 8 at most.
unsigned bits_at(const BigInt& number, size_t position, unsigned count);
int64_t bit_count(const BigInt& number);
std::string decimal_digits(Interpreter& vm, const BigInt& number);
// Of digits each below `base`, the highest first.
BigInt from_digits(Interpreter& vm, std::string_view digits, unsigned base);

}  // namespace gpy
