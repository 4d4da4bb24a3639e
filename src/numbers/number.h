#pragma once
// Arithmetic on Python's numbers: bool, int of any size, float, complex. The run loop does int and
// float pairs that do not overflow itself; the rest, and every slot of those types, comes here.

#include <optional>
#include <string>
#include <string_view>

#include "src/type.h"
#include "src/value.h"

namespace gpy {

inline bool is_int(const Value& v) {  // bool included
  return v.is_integer() || v.is_boolean() ||
         (v.is_object() && v.as_object()->layout == ObjectLayout::big_int);
}
inline bool is_number(const Value& v) {
  return is_int(v) || v.is_real() ||
         (v.is_object() && v.as_object()->layout == ObjectLayout::complex);
}

// NotImplemented if an operand is no number. ZeroDivisionError, OverflowError as CPython.
Value number_binary(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs);
Value number_compare(Interpreter& vm, CompareOp op, const Value& lhs, const Value& rhs);
Value number_unary(Interpreter& vm, UnaryOp op, const Value& operand);
Value power_modulo(Interpreter& vm, const Value& base, const Value& exponent, const Value& modulus);

// Equal numbers have equal hashes, whatever their type (CPython's scheme modulo 2^61 - 1).
int64_t hash_number(const Value& number);
int64_t hash_real(double number);

// The value of an int of any size (bool included), correctly rounded; OverflowError beyond doubles.
double int_to_real(Interpreter& vm, const Value& number);
// The integral part of a float. ValueError, OverflowError for nan and infinities.
Value int_from_real(Interpreter& vm, double number);
std::string int_to_text(const Value& number, int base = 10);  // digits 0-9a-z, no prefix
// The int of digits with optional sign, underscores and prefix as in int(text, base); else nullopt.
std::optional<Value> int_from_text(Interpreter& vm, std::string_view text, int base);
// The result of float(text): spaces around, underscores between digits, inf and nan; else nullopt.
std::optional<double> real_from_text(std::string_view text);
// Converts digits and spaces of any script to ASCII, so that the two above need not know Unicode.
std::string ascii_digits(std::string_view text);
int64_t bit_length(const Value& number);

}  // namespace gpy
