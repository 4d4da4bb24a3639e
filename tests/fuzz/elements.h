#pragma once

// The arithmetic of the reference model: one element at a time, from the definition of its type. It
// shares no code with the engine but the dtypes.

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"

namespace gpy::fuzz {

// One element: `i` for bool and integers, `f` for floats and real parts, `g` for imaginary ones.
struct Cell {
  int64_t i = 0;
  double f = 0, g = 0;
};

// float16, bfloat16, float32, float64; not the complex types.
bool is_floating(rt::DType dtype);
inline bool is_exact(rt::DType dtype) { return !rt::is_inexact(dtype); }

// From and to memory, in the type's own byte order.
Cell load(rt::DType dtype, const std::byte* bytes);
void store(const Cell& cell, rt::DType dtype, std::byte* bytes);

// A number as a type holds it: wrapped around, or rounded.
Cell whole(int64_t i, rt::DType dtype);
Cell real(double f, rt::DType dtype);
Cell number_as(double number, rt::DType dtype);
Cell cast(const Cell& cell, rt::DType from, rt::DType to);

bool is_less(const Cell& x, const Cell& y, rt::DType dtype);
// Both of `dtype`; the result of comparisons is bool.
Cell combine(const std::string& op, const Cell& x, const Cell& y, rt::DType dtype);
Cell unary(const std::string& op, const Cell& x, rt::DType dtype);

// The type that arrays of two types give, in the machine's byte order.
rt::DType binary_dtype(const std::string& op, rt::DType a, rt::DType b);
rt::DType unary_dtype(const std::string& op, rt::DType a);
// bfloat16 has no common type with float16 or with integers of more than 8 bits.
bool have_common_type(rt::DType a, rt::DType b);
// Whether arrays of two types have a loop (the second may stand for a number).
bool has_loop(const std::string& op, rt::DType a, rt::DType b);
bool has_loop(const std::string& op, rt::DType a);
// Whether a cast is defined: one of floats to integers depends on the platform, and one of complex
// numbers to real ones drops a part.
bool castable(rt::DType from, rt::DType to);

}  // namespace gpy::fuzz
