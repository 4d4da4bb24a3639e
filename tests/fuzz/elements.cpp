#include "elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gpy::fuzz {

using rt::DType;
using rt::TypeCode;

bool is_floating(DType dtype) { return rt::is_float(dtype); }

namespace {

// --- the formats of floats -----------------------------------------------------------------------

// A binary floating-point format: significant bits, and the exponent of the least normal number.
struct Format {
  int digits, least;
};
constexpr Format kHalf = {11, -14}, kBrain = {8, -126};

// To the nearest number of the format, of two the even one.
double rounded(double x, Format format) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int quantum = std::max(std::ilogb(x), format.least) - (format.digits - 1);
  const double result = std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
  const bool fits = std::fabs(result) < std::ldexp(1, 2 - format.least);
  return fits ? result : std::copysign(INFINITY, x);
}

// The bits of a number that the format holds exactly: sign, exponent, fraction.
uint16_t bits_of(double x, Format format) {
  const int fraction = format.digits - 1;
  const auto sign = static_cast<uint16_t>(std::signbit(x) << 15);
  const auto all_ones = static_cast<uint16_t>(0x7fff >> fraction << fraction);
  if (std::isnan(x)) return sign | all_ones | static_cast<uint16_t>(1 << (fraction - 1));
  if (std::isinf(x)) return sign | all_ones;
  if (x == 0) return sign;
  const int exponent = std::max(std::ilogb(x), format.least);
  const auto significand = static_cast<int>(std::ldexp(std::fabs(x), fraction - exponent));
  const int biased = significand >> fraction ? exponent - format.least + 1 : 0;
  return sign | static_cast<uint16_t>(biased << fraction | (significand & ((1 << fraction) - 1)));
}

double number_of(uint16_t bits, Format format) {
  const int fraction = format.digits - 1;
  const int biased = (bits & 0x7fff) >> fraction, low = bits & ((1 << fraction) - 1);
  const double sign = bits >> 15 ? -1 : 1;
  if (biased == 0x7fff >> fraction) return low ? NAN : sign * INFINITY;
  const int significand = biased ? low | 1 << fraction : low;
  return sign * std::ldexp(significand, std::max(biased, 1) - 1 + format.least - fraction);
}

// What is computed in float32 and rounded to less.
double narrowed(double x, DType dtype) {
  switch (dtype.code()) {
    case TypeCode::kFloat32:
    case TypeCode::kComplex64: return static_cast<float>(x);
    case TypeCode::kFloat16: return rounded(static_cast<float>(x), kHalf);
    case TypeCode::kBFloat16: return rounded(static_cast<float>(x), kBrain);
    default: return x;
  }
}

// --- memory --------------------------------------------------------------------------------------

double load_float(DType dtype, const std::byte* bytes) {
  float narrow;
  double wide;
  uint16_t half;
  switch (dtype.item_size()) {
    case 2:
      std::memcpy(&half, bytes, 2);
      return number_of(half, dtype == DType::kFloat16 ? kHalf : kBrain);
    case 4: std::memcpy(&narrow, bytes, 4); return narrow;
    default: std::memcpy(&wide, bytes, 8); return wide;
  }
}

void store_float(double number, DType dtype, std::byte* bytes) {
  const auto narrow = static_cast<float>(number);
  uint16_t half;
  switch (dtype.item_size()) {
    case 2:
      half = bits_of(number, dtype == DType::kFloat16 ? kHalf : kBrain);
      std::memcpy(bytes, &half, 2);
      break;
    case 4: std::memcpy(bytes, &narrow, 4); break;
    default: std::memcpy(bytes, &number, 8);
  }
}

DType part(DType dtype) {
  return dtype.code() == TypeCode::kComplex64 ? DType::kFloat32 : DType::kFloat64;
}

Cell load_native(DType dtype, const std::byte* bytes) {
  Cell cell;
  if (rt::is_complex(dtype)) {
    cell.f = load_float(part(dtype), bytes);
    cell.g = load_float(part(dtype), bytes + dtype.item_size() / 2);
  } else if (is_floating(dtype)) {
    cell.f = load_float(dtype, bytes);
  } else {
    std::memcpy(&cell.i, bytes, dtype.item_size());  // little-endian: the low bytes come first
    cell = whole(cell.i, dtype);
  }
  return cell;
}

void store_native(const Cell& cell, DType dtype, std::byte* bytes) {
  if (rt::is_complex(dtype)) {
    store_float(cell.f, part(dtype), bytes);
    store_float(cell.g, part(dtype), bytes + dtype.item_size() / 2);
  } else if (is_floating(dtype)) {
    store_float(cell.f, dtype, bytes);
  } else {
    std::memcpy(bytes, &cell.i, dtype.item_size());
  }
}

// The bytes of each number the other way round; a complex element is two numbers.
void turn(DType dtype, std::byte* bytes) {
  if (dtype.is_native()) return;
  const int64_t count = rt::is_complex(dtype) ? 2 : 1, size = dtype.item_size() / count;
  for (int64_t i = 0; i < count; ++i) std::reverse(bytes + i * size, bytes + (i + 1) * size);
}

// --- arithmetic ----------------------------------------------------------------------------------

int64_t wrap(int64_t value, DType dtype) {
  switch (dtype.code()) {
    case TypeCode::kBool: return value != 0;
    case TypeCode::kUInt8: return static_cast<uint8_t>(value);
    case TypeCode::kInt8: return static_cast<int8_t>(value);
    case TypeCode::kInt16: return static_cast<int16_t>(value);
    case TypeCode::kInt32: return static_cast<int32_t>(value);
    default: return value;
  }
}

template <class Float> Float to_float(const Cell& cell, DType dtype) {
  if (!is_exact(dtype)) return static_cast<Float>(cell.f);
  return dtype.code() == TypeCode::kUInt64 ? static_cast<Float>(static_cast<uint64_t>(cell.i))
                                           : static_cast<Float>(cell.i);
}

// Integers become narrow floats by way of float32, as in NumPy and ml_dtypes; of wider floats
// float16 is rounded once, and bfloat16 twice.
double cast_to_float(const Cell& cell, DType from, DType to) {
  if (to.code() == TypeCode::kFloat64) return to_float<double>(cell, from);
  if (to.code() == TypeCode::kFloat16 && !is_exact(from)) return rounded(cell.f, kHalf);
  return narrowed(to_float<float>(cell, from), to);
}

int64_t integer_op(const std::string& op, int64_t x, int64_t y, DType dtype) {
  const auto a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y);
  if (dtype == DType::kBool) {
    if (op == "add" || op == "maximum") return x | y;
    if (op == "multiply" || op == "minimum") return x & y;
  }
  if (op == "add") return static_cast<int64_t>(a + b);
  if (op == "subtract") return static_cast<int64_t>(a - b);
  if (op == "multiply") return static_cast<int64_t>(a * b);
  const bool less = is_less({x}, {y}, dtype);
  return (op == "maximum") == less ? y : x;
}

double real_op(const std::string& op, double x, double y) {
  if (op == "add") return x + y;
  if (op == "subtract") return x - y;
  if (op == "multiply") return x * y;
  if (op == "divide") return x / y;
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? x : y;
  if (op == "maximum") return x > y ? x : y;  // of two zeros the second
  return x < y ? x : y;
}

// The second product of each part is rounded, the first one is not (fma), as NumPy does it where
// the processor can.
template <class Float> Cell complex_product(const Cell& x, const Cell& y) {
  const auto a = static_cast<Float>(x.f), b = static_cast<Float>(x.g);
  const auto c = static_cast<Float>(y.f), d = static_cast<Float>(y.g);
  return {0, std::fma(a, c, -(b * d)), std::fma(a, d, b * c)};
}

Cell complex_op(const std::string& op, const Cell& x, const Cell& y, DType dtype) {
  const bool wide = dtype.code() == TypeCode::kComplex128;
  if (op == "multiply") {
    return wide ? complex_product<double>(x, y) : complex_product<float>(x, y);
  }
  return {0, narrowed(real_op(op, x.f, y.f), dtype), narrowed(real_op(op, x.g, y.g), dtype)};
}

bool is_equal(const Cell& x, const Cell& y, DType dtype) {
  return is_exact(dtype) ? x.i == y.i : x.f == y.f && x.g == y.g;
}

}  // namespace

Cell load(DType dtype, const std::byte* bytes) {
  std::byte turned[16];
  std::memcpy(turned, bytes, dtype.item_size());
  turn(dtype, turned);
  return load_native(dtype.native(), turned);
}

void store(const Cell& cell, DType dtype, std::byte* bytes) {
  store_native(cell, dtype.native(), bytes);
  turn(dtype, bytes);
}

Cell whole(int64_t i, DType dtype) { return {wrap(i, dtype), 0, 0}; }
Cell real(double f, DType dtype) { return {0, narrowed(f, dtype), 0}; }
Cell number_as(double number, DType dtype) {
  return is_exact(dtype) ? whole(static_cast<int64_t>(number), dtype) : real(number, dtype);
}

Cell cast(const Cell& cell, DType from, DType to) {
  if (is_floating(to)) return {0, cast_to_float(cell, from, to), 0};
  if (rt::is_complex(to)) return {0, cast_to_float(cell, from, part(to)), narrowed(cell.g, to)};
  if (to.code() == TypeCode::kBool) {
    return {is_exact(from) ? cell.i != 0 : cell.f != 0 || cell.g != 0, 0, 0};
  }
  return whole(is_exact(from) ? cell.i : static_cast<int64_t>(cell.f), to);
}

// A cell's integer holds the bits of a uint64; order and value are those of its own type.
bool is_less(const Cell& x, const Cell& y, DType dtype) {
  if (!is_exact(dtype)) return x.f < y.f;
  if (dtype.code() == TypeCode::kUInt64) {
    return static_cast<uint64_t>(x.i) < static_cast<uint64_t>(y.i);
  }
  return x.i < y.i;
}

Cell combine(const std::string& op, const Cell& x, const Cell& y, DType dtype) {
  if (op == "less") return {is_less(x, y, dtype), 0, 0};
  if (op == "equal") return {is_equal(x, y, dtype), 0, 0};
  if (rt::is_complex(dtype)) return complex_op(op, x, y, dtype);
  return is_floating(dtype) ? real(real_op(op, x.f, y.f), dtype)
                            : whole(integer_op(op, x.i, y.i, dtype), dtype);
}

Cell unary(const std::string& op, const Cell& x, DType dtype) {
  if (op == "square") return combine("multiply", x, x, dtype);
  if (op == "sqrt") {
    const bool wide = dtype.code() == TypeCode::kFloat64;
    return real(wide ? std::sqrt(x.f) : std::sqrt(static_cast<float>(x.f)), dtype);
  }
  const auto negated = static_cast<int64_t>(-static_cast<uint64_t>(x.i));
  if (op == "negative") return is_exact(dtype) ? whole(negated, dtype) : Cell{0, -x.f, -x.g};
  return is_exact(dtype) ? whole(is_less(x, {}, dtype) ? negated : x.i, dtype)
                         : Cell{0, std::fabs(x.f), 0};
}

DType binary_dtype(const std::string& op, DType a, DType b) {
  const DType common = rt::promote(a, b);
  return op == "divide" && is_exact(common) ? DType::kFloat64 : common;
}

DType unary_dtype(const std::string& op, DType a) {
  if (op != "sqrt" || !is_exact(a)) return a.native();
  return a.item_size() == 1   ? DType::kFloat16
         : a.item_size() == 2 ? DType::kFloat32
                              : DType::kFloat64;
}

bool have_common_type(DType a, DType b) {
  const bool brain = a.code() == TypeCode::kBFloat16;
  if (brain == (b.code() == TypeCode::kBFloat16)) return true;
  const DType other = brain ? b : a;
  return other.code() != TypeCode::kFloat16 && (!is_exact(other) || other.item_size() == 1);
}

bool has_loop(const std::string& op, DType a, DType b) {
  if (!have_common_type(a, b)) return false;
  const DType common = rt::promote(a, b);
  if (rt::is_complex(common)) {
    return op == "add" || op == "subtract" || op == "multiply" || op == "equal";
  }
  if (op == "subtract") return common != DType::kBool;
  return op != "divide" || !is_exact(common);
}

bool has_loop(const std::string& op, DType a) {
  if (rt::is_complex(a)) return op == "negative" || op == "square";
  return a != DType::kBool;
}

bool castable(DType from, DType to) {
  if (rt::is_complex(from)) return rt::is_complex(to);
  return is_exact(from) || !is_exact(to);
}

}  // namespace gpy::fuzz
