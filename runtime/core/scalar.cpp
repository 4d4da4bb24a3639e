#include "runtime/core/scalar.h"

#include <cmath>
#include <cstring>

#include "runtime/core/half.h"

namespace gpy::rt {
namespace {

template <class T> T read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

template <class T> void write(void* to, T value) { std::memcpy(to, &value, sizeof(value)); }

// C leaves out-of-range conversions undefined. These give what x86-64 gives, and so what NumPy
// prints there: the "indefinite" integer, the sign bit alone.
int64_t truncate_to_int64(double value) {
  if (value >= -0x1p63 && value < 0x1p63) return static_cast<int64_t>(value);
  return INT64_MIN;
}

int32_t truncate_to_int32(double value) {
  if (value > -2147483649.0 && value < 2147483648.0) return static_cast<int32_t>(value);
  return INT32_MIN;
}

uint64_t truncate_to_uint64(double value) {
  if (!(value >= 0x1p63)) return static_cast<uint64_t>(truncate_to_int64(value));
  return static_cast<uint64_t>(truncate_to_int64(value - 0x1p63)) ^ (uint64_t{1} << 63);
}

// The value as the integer type, extended to 64 bits again.
int64_t wrap_integer(DType dtype, int64_t value) {
  switch (dtype) {
    case DType::kBool: return value != 0;
    case DType::kInt8: return static_cast<int8_t>(value);
    case DType::kUInt8: return static_cast<uint8_t>(value);
    case DType::kInt16: return static_cast<int16_t>(value);
    case DType::kUInt16: return static_cast<uint16_t>(value);
    case DType::kInt32: return static_cast<int32_t>(value);
    case DType::kUInt32: return static_cast<uint32_t>(value);
    default: return value;
  }
}

int64_t integer_from_double(DType dtype, double value) {
  if (dtype == DType::kBool) return value != 0;
  if (dtype == DType::kUInt64) return static_cast<int64_t>(truncate_to_uint64(value));
  if (item_size(dtype) == 8 || dtype == DType::kUInt32) {
    return wrap_integer(dtype, truncate_to_int64(value));
  }
  return wrap_integer(dtype, truncate_to_int32(value));
}

// Not inlined: of two of them side by side, as a complex number has, GCC 12 makes a vector's
// conversion to float and back, and drops it.
[[gnu::noinline]] double round_to(DType real, double value) {
  if (real == DType::kFloat32) return static_cast<float>(value);
  if (real == DType::kFloat16) return float_from_half(half_from_double(value));
  return value;
}

// uint64 to float16 and float32 rounds once, not by way of double.
double real_from_integer(DType real, DType from, int64_t value) {
  const bool is_unsigned = from == DType::kUInt64;
  if (real == DType::kFloat64) {
    return is_unsigned ? static_cast<double>(static_cast<uint64_t>(value))
                       : static_cast<double>(value);
  }
  const float single =
      is_unsigned ? static_cast<float>(static_cast<uint64_t>(value)) : static_cast<float>(value);
  return round_to(real, single);
}

}  // namespace

Scalar Scalar::of(DType dtype, int64_t value) {
  if (!is_inexact(dtype)) return {dtype, Weak::kNo, wrap_integer(dtype, value)};
  return {dtype, Weak::kNo, {real_from_integer(real_type(dtype), DType::kInt64, value), 0}};
}

Scalar Scalar::of(DType dtype, double value) {
  if (!is_inexact(dtype)) return {dtype, Weak::kNo, integer_from_double(dtype, value)};
  return {dtype, Weak::kNo, {round_to(real_type(dtype), value), 0}};
}

Scalar Scalar::of(DType dtype, std::complex<double> value) {
  if (dtype == DType::kBool) return {dtype, Weak::kNo, int64_t{value != 0.0}};
  if (!is_complex(dtype)) return of(dtype, value.real());
  DType real = real_type(dtype);
  return {dtype, Weak::kNo, {round_to(real, value.real()), round_to(real, value.imag())}};
}

Scalar Scalar::load(DType dtype, const void* from) {
  switch (dtype) {
    case DType::kBool: return {dtype, Weak::kNo, int64_t{read<uint8_t>(from) != 0}};
    case DType::kInt8: return {dtype, Weak::kNo, int64_t{read<int8_t>(from)}};
    case DType::kUInt8: return {dtype, Weak::kNo, int64_t{read<uint8_t>(from)}};
    case DType::kInt16: return {dtype, Weak::kNo, int64_t{read<int16_t>(from)}};
    case DType::kUInt16: return {dtype, Weak::kNo, int64_t{read<uint16_t>(from)}};
    case DType::kInt32: return {dtype, Weak::kNo, int64_t{read<int32_t>(from)}};
    case DType::kUInt32: return {dtype, Weak::kNo, int64_t{read<uint32_t>(from)}};
    case DType::kInt64:
    case DType::kUInt64: return {dtype, Weak::kNo, read<int64_t>(from)};
    case DType::kFloat16: return {dtype, Weak::kNo, {float_from_half(read<uint16_t>(from)), 0}};
    case DType::kFloat32: return {dtype, Weak::kNo, {read<float>(from), 0}};
    case DType::kFloat64: return {dtype, Weak::kNo, {read<double>(from), 0}};
    case DType::kComplex64:
      return {dtype, Weak::kNo, std::complex<double>(read<std::complex<float>>(from))};
    case DType::kComplex128: return {dtype, Weak::kNo, read<std::complex<double>>(from)};
  }
  return {};
}

void Scalar::store(DType dtype, void* to) const {
  const Scalar value = dtype == dtype_ ? *this : cast(dtype);
  switch (item_size(dtype)) {
    case 1: return write(to, static_cast<uint8_t>(value.int_));
    case 2:
      if (dtype == DType::kFloat16) return write(to, half_from_double(value.float_[0]));
      return write(to, static_cast<uint16_t>(value.int_));
    case 4:
      if (dtype == DType::kFloat32) return write(to, static_cast<float>(value.float_[0]));
      return write(to, static_cast<uint32_t>(value.int_));
    case 8:
      if (dtype == DType::kFloat64) return write(to, value.float_[0]);
      if (dtype == DType::kComplex64) return write(to, std::complex<float>(value.as_complex()));
      return write(to, value.int_);
    default: return write(to, value.as_complex());
  }
}

Scalar Scalar::cast(DType dtype) const {
  if (is_complex(dtype_)) return of(dtype, as_complex());
  if (is_float(dtype_)) return of(dtype, float_[0]);
  if (!is_inexact(dtype)) return {dtype, Weak::kNo, wrap_integer(dtype, int_)};
  return {dtype, Weak::kNo, {real_from_integer(real_type(dtype), dtype_, int_), 0}};
}

bool Scalar::truth() const {
  if (!is_inexact(dtype_)) return int_ != 0;
  return float_[0] != 0 || (is_complex(dtype_) && float_[1] != 0);
}

int64_t Scalar::as_int() const { return is_inexact(dtype_) ? truncate_to_int64(float_[0]) : int_; }

double Scalar::as_double() const {
  return is_inexact(dtype_) ? float_[0] : real_from_integer(DType::kFloat64, dtype_, int_);
}

std::complex<double> Scalar::as_complex() const {
  if (!is_complex(dtype_)) return as_double();
  return {float_[0], float_[1]};
}

}  // namespace gpy::rt
