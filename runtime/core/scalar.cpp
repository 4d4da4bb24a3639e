#include "runtime/core/scalar.h"

#include <algorithm>
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
  switch (dtype.code()) {
    case TypeCode::kBool: return value != 0;
    case TypeCode::kInt8: return static_cast<int8_t>(value);
    case TypeCode::kUInt8: return static_cast<uint8_t>(value);
    case TypeCode::kInt16: return static_cast<int16_t>(value);
    case TypeCode::kUInt16: return static_cast<uint16_t>(value);
    case TypeCode::kInt32: return static_cast<int32_t>(value);
    case TypeCode::kUInt32: return static_cast<uint32_t>(value);
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

// Not inlined: GCC 12 turns two calls side by side, as for a complex number, into a vector's
// conversion to float and back, and drops it.
[[gnu::noinline]] double round_to(DType real, double value) {
  if (real == DType::kFloat32) return static_cast<float>(value);
  if (real == DType::kFloat16) return float_from_half(half_from_double(value));
  if (real == DType::kBFloat16) {
    return float_from_bfloat(bfloat_from_float(static_cast<float>(value)));
  }
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

Scalar Scalar::of(DType type, int64_t value) {
  const DType dtype = type.native();
  if (!is_inexact(dtype)) return {dtype, Weak::kNo, wrap_integer(dtype, value)};
  return {dtype, Weak::kNo, {real_from_integer(real_type(dtype), DType::kInt64, value), 0}};
}

Scalar Scalar::of(DType type, double value) {
  const DType dtype = type.native();
  if (!is_inexact(dtype)) return {dtype, Weak::kNo, integer_from_double(dtype, value)};
  return {dtype, Weak::kNo, {round_to(real_type(dtype), value), 0}};
}

Scalar Scalar::of(DType type, std::complex<double> value) {
  const DType dtype = type.native();
  if (dtype == DType::kBool) return {dtype, Weak::kNo, int64_t{value != 0.0}};
  if (!is_complex(dtype)) return of(dtype, value.real());
  DType real = real_type(dtype);
  return {dtype, Weak::kNo, {round_to(real, value.real()), round_to(real, value.imag())}};
}

namespace {

// One element with the bytes of each of its parts in the opposite order.
void reverse_bytes(DType dtype, const void* from, void* to) {
  const int64_t part = item_size(real_type(dtype));
  for (int64_t at = 0; at < item_size(dtype); at += part) {
    const auto* const first = static_cast<const std::byte*>(from) + at;
    std::reverse_copy(first, first + part, static_cast<std::byte*>(to) + at);
  }
}

}  // namespace

Scalar Scalar::load(DType dtype, const void* from) {
  if (!dtype.is_native()) {
    std::byte turned[16];
    reverse_bytes(dtype, from, turned);
    return load(dtype.native(), turned);
  }
  switch (dtype.code()) {
    case TypeCode::kBool: return {dtype, Weak::kNo, int64_t{read<uint8_t>(from) != 0}};
    case TypeCode::kInt8: return {dtype, Weak::kNo, int64_t{read<int8_t>(from)}};
    case TypeCode::kUInt8: return {dtype, Weak::kNo, int64_t{read<uint8_t>(from)}};
    case TypeCode::kInt16: return {dtype, Weak::kNo, int64_t{read<int16_t>(from)}};
    case TypeCode::kUInt16: return {dtype, Weak::kNo, int64_t{read<uint16_t>(from)}};
    case TypeCode::kInt32: return {dtype, Weak::kNo, int64_t{read<int32_t>(from)}};
    case TypeCode::kUInt32: return {dtype, Weak::kNo, int64_t{read<uint32_t>(from)}};
    case TypeCode::kInt64:
    case TypeCode::kUInt64: return {dtype, Weak::kNo, read<int64_t>(from)};
    case TypeCode::kFloat16: return {dtype, Weak::kNo, {float_from_half(read<uint16_t>(from)), 0}};
    case TypeCode::kFloat32: return {dtype, Weak::kNo, {read<float>(from), 0}};
    case TypeCode::kFloat64: return {dtype, Weak::kNo, {read<double>(from), 0}};
    case TypeCode::kComplex64:
      return {dtype, Weak::kNo, std::complex<double>(read<std::complex<float>>(from))};
    case TypeCode::kComplex128: return {dtype, Weak::kNo, read<std::complex<double>>(from)};
    case TypeCode::kBFloat16:
      return {dtype, Weak::kNo, {float_from_bfloat(read<uint16_t>(from)), 0}};
  }
  return {};
}

void Scalar::store(DType dtype, void* to) const {
  if (!dtype.is_native()) {
    std::byte own[16];
    store(dtype.native(), own);
    return reverse_bytes(dtype, own, to);
  }
  const Scalar value = dtype == dtype_ ? *this : cast(dtype);
  switch (item_size(dtype)) {
    case 1: return write(to, static_cast<uint8_t>(value.int_));
    case 2:
      if (dtype == DType::kFloat16) return write(to, half_from_double(value.float_[0]));
      if (dtype == DType::kBFloat16) {
        return write(to, bfloat_from_float(static_cast<float>(value.float_[0])));
      }
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

Scalar Scalar::cast(DType to) const {
  const DType dtype = to.native();
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
