#pragma once

// One number as NumPy and Python write it. Shortest digits that read back as the same number of
// the same type, or digits rounded exactly (half to even): the outcomes of NumPy's Dragon4.

#include <cstdint>
#include <string>

#include "runtime/core/dtype.h"
#include "runtime/core/scalar.h"
#include "runtime/text/print_options.h"

namespace gpy::rt {

enum class Trim : uint8_t {
  kNone,     // 'k': zeros up to the precision
  kZeros,    // '.': no trailing zeros, the point stays
  kOneZero,  // '0': as '.', but "1.0"
  kPoint,    // '-': no trailing zeros and no trailing point
};

// The keyword arguments of numpy.format_float_positional and _scientific; -1 is "not given".
struct FloatStyle {
  int precision = -1;      // most digits after the point; must be given if not unique
  int min_digits = -1;     // fewest digits after the point; beyond the shortest they are exact
  bool fractional = true;  // both count digits after the point, else from the first that is not 0
  bool unique = true;      // start from the shortest digits, else from the exact value
  Trim trim = Trim::kNone;
  bool plus = false;  // '+' before numbers without a sign
  int pad_left = -1;
  int pad_right = -1;   // positional only
  int exp_digits = -1;  // scientific only
};

// `value` must be finite and a number of the float type `type`.
std::string positional_text(double value, DType type, const FloatStyle& style);
std::string scientific_text(double value, DType type, const FloatStyle& style);

// The same of a long double.
std::string positional_text(long double value, const FloatStyle& style);
std::string scientific_text(long double value, const FloatStyle& style);

// Python's repr(float): "0.1", "1e+16", "inf", "nan".
std::string float_repr(double value);
// Python's repr(complex): "(1+2j)", "1j".
std::string complex_repr(std::complex<double> value);

// The number at the start of a text, as C's strtold reads it in the "C" locale.
struct ReadLongDouble {
  long double value;
  size_t length;   // characters that belong to it
  bool is_beyond;  // it is no normal number of the type: it overflowed or lost digits below
};
ReadLongDouble read_long_double(const std::string& text);

// str() of NumPy's longdouble and clongdouble: "0.33333333333333333334", "(1+2j)"; with so many
// digits where they are not 0, as NumPy 1.13.
std::string long_double_str(long double value, int digits = 0);
std::string long_double_str(const std::complex<long double>& value, int digits = 0);

// str() and repr() of a NumPy scalar: "3.0" and "np.float64(3.0)", "True" and "np.True_".
// Older releases of NumPy wrote no type, and before 1.14 a fixed number of digits.
std::string scalar_str(const Scalar& value, LegacyLayout legacy = LegacyLayout::kNone);
std::string scalar_repr(const Scalar& value, LegacyLayout legacy = LegacyLayout::kNone);
// repr of the Python number that the value is.
std::string item_repr(const Scalar& value);

}  // namespace gpy::rt
