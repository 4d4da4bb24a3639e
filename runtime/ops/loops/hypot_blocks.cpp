#include "runtime/ops/loops/hypot_blocks.h"

#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
namespace {

// The length of a hypotenuse within 1 ulp, where no square overflows or loses bits: with a >= b,
// a^2 + b^2 or, where b is near a, 2 a b + (a - b)^2, which rounds less.
GPY_FN f64 plain_hypot(f64 x, f64 y) {
  const f64 a = x < y ? y : x, b = x < y ? x : y;
  const f64 apart = a - b;
  const bool near = 2.0 * b >= a;
  return __builtin_sqrt(fused(near ? 2.0 * b : a, a, near ? apart * apart : b * b));
}

// Squares of float32 are exact in float64.
GPY_FN f32 plain_hypot(f32 x, f32 y) {
  return f32(__builtin_sqrt(f64(x) * f64(x) + f64(y) * f64(y)));
}

// 0 for legs whose squares neither overflow nor lose bits, zeros among them; a number, of the bits
// alone, so that looking at many vectorises and raises no event at a NaN.
GPY_FN i64 is_strange(f64 leg) {
  constexpr i64 kLowest = 564ll << 52, kHighest = 1534ll << 52;  // 2^-459, 2^511
  const i64 bits = i64(double_bits(leg));
  return i64(bits > kHighest) | (i64(bits < kLowest) & i64(bits != 0));
}
GPY_FN i32 is_strange(f32 leg) {
  constexpr i32 kLowest = 67 << 23, kHighest = 187 << 23;  // 2^-60, 2^60
  const i32 bits = i32(float_bits(leg));
  return i32(bits > kHighest) | (i32(bits < kLowest) & i32(bits != 0));
}

template <class F> void fill_block(const F* x, const F* y, F* to, int64_t count) {
  auto strange = is_strange(x[0]);
  for (int64_t i = 0; i < count; ++i) strange |= is_strange(x[i]) | is_strange(y[i]);
  if (strange) {
    for (int64_t i = 0; i < count; ++i) {
      const bool is_plain = !is_strange(x[i]) && !is_strange(y[i]);
      to[i] = is_plain ? plain_hypot(x[i], y[i]) : hypot(x[i], y[i]);
    }
    return;
  }
  GPY_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) to[i] = plain_hypot(x[i], y[i]);
}

}  // namespace

namespace GPY_ISA {
void hypot_block(const float* x, const float* y, float* to, int64_t count) {
  fill_block(x, y, to, count);
}
void hypot_block(const double* x, const double* y, double* to, int64_t count) {
  fill_block(x, y, to, count);
}
}  // namespace GPY_ISA
}  // namespace gpy::rt
