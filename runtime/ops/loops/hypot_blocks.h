#pragma once

// Hypotenuses of short rows of legs that are not negative, in a file of their own: their compiler
// may turn branches into selects, since no event of theirs is read but the scalar function's.

#include <cstdint>

namespace gpy::rt::GPY_ISA {

constexpr int64_t kHypotBlock = 256;

void hypot_block(const float* x, const float* y, float* to, int64_t count);
void hypot_block(const double* x, const double* y, double* to, int64_t count);

}  // namespace gpy::rt::GPY_ISA
