#pragma once

// One number of any dtype, in the machine's byte order whatever its memory has, and how strongly
// its type counts in promotion (NEP 50): a literal of the language is weak, an element of an array
// is not.

#include <complex>
#include <cstdint>

#include "runtime/core/dtype.h"

namespace gpy::rt {

enum class Weak : uint8_t { kNo, kInt, kFloat, kComplex };

class Scalar {
 public:
  Scalar() : Scalar(false) {}
  Scalar(bool value) : dtype_(DType::kBool) { int_ = value; }

  static Scalar weak(int64_t value) { return {DType::kInt64, Weak::kInt, value}; }
  static Scalar weak(double value) { return {DType::kFloat64, Weak::kFloat, {value, 0}}; }
  static Scalar weak(std::complex<double> value) {
    return {DType::kComplex128, Weak::kComplex, value};
  }
  // A weak int beyond int64 that fits uint64.
  static Scalar weak_unsigned(uint64_t value) {
    return {DType::kUInt64, Weak::kInt, static_cast<int64_t>(value)};
  }
  // Elements of float64 and int64 arrays.
  static Scalar strong(double value) { return {DType::kFloat64, Weak::kNo, {value, 0}}; }
  static Scalar strong(int64_t value) { return {DType::kInt64, Weak::kNo, value}; }
  static Scalar of(DType dtype, int64_t value);
  static Scalar of(DType dtype, double value);
  static Scalar of(DType dtype, std::complex<double> value);

  // Reads one element of memory; writes this number, cast as C does, to one element.
  static Scalar load(DType dtype, const void* from);
  void store(DType dtype, void* to) const;

  DType dtype() const { return dtype_; }
  Weak weakness() const { return weak_; }
  // The same number as another dtype, and strong.
  Scalar cast(DType dtype) const;

  bool truth() const;
  int64_t as_int() const;  // truncates floats
  uint64_t as_unsigned() const { return static_cast<uint64_t>(as_int()); }
  double as_double() const;  // real part
  std::complex<double> as_complex() const;
  // Unchecked: of float64, of int64.
  double float64() const { return float_[0]; }
  int64_t int64() const { return int_; }

 private:
  Scalar(DType dtype, Weak weak, int64_t value) : dtype_(dtype), weak_(weak), int_(value) {}
  Scalar(DType dtype, Weak weak, std::complex<double> value)
      : dtype_(dtype), weak_(weak), float_{value.real(), value.imag()} {}

  DType dtype_;
  Weak weak_ = Weak::kNo;
  union {
    int64_t int_;      // bool and integer types; uint64 as its bits
    double float_[2];  // float and complex types
  };
};

}  // namespace gpy::rt
