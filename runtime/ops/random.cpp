#include "runtime/ops/random.h"

#include <cmath>
#include <tuple>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/graph/recording.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {

namespace {

// The numbers of the next `count` blocks, as uint64: the counter that Philox encrypts.
// In a graph they would be the same at each launch.
Array next_blocks(Session& session, PhiloxState& state, const Dims& shape, Space space) {
  require_done(session, space, "a draw of random numbers");
  const Array index =
      astype(session, iota(session, shape, space), DType::kUInt64, Casting::kUnsafe, false);
  const auto first = Scalar::of(DType::kUInt64, static_cast<int64_t>(state.drawn));
  state.drawn += static_cast<uint64_t>(element_count(shape));
  return ops::add(session, index, first, space);
}

Scalar key(const PhiloxState& state) {
  return Scalar::of(DType::kUInt64, static_cast<int64_t>(state.seed));
}

void need_float(DType dtype) {
  if (dtype == DType::kFloat32 || dtype == DType::kFloat64) return;
  fail(ErrorKind::kType, "random numbers are float32 or float64 (got {})", name(dtype));
}

Array unit(Session& session, const Array& bits, DType dtype) {
  return (dtype == DType::kFloat32 ? ops::uniform_float : ops::uniform_double)(session, bits);
}

}  // namespace

Array random_bits(Session& session, PhiloxState& state, const Dims& shape, Space space) {
  return ops::philox(session, next_blocks(session, state, shape, space), key(state), space);
}

Array random_uniform(Session& session, PhiloxState& state, const Dims& shape, DType dtype,
                     Space space) {
  need_float(dtype);
  return unit(session, random_bits(session, state, shape, space), dtype);
}

Array random_normal(Session& session, PhiloxState& state, const Dims& shape, DType dtype,
                    Space space) {
  need_float(dtype);
  // Box and Muller (1958): both halves of one block give one normal draw.
  const Array block = next_blocks(session, state, shape, space);
  const Array u = unit(session, ops::philox(session, block, key(state)), dtype);
  const Array v = unit(session, ops::philox_second(session, block, key(state)), dtype);
  const Array positive = ops::subtract(session, Scalar::weak(1.0), u);  // (0, 1]: its log is finite
  const Array squared = ops::multiply(session, ops::log(session, positive), Scalar::weak(-2.0));
  const Array angle = ops::multiply(session, v, Scalar::weak(2.0 * M_PI));
  return ops::multiply(session, ops::sqrt(session, squared), ops::cos(session, angle));
}

Array random_integers(Session& session, PhiloxState& state, int64_t low, int64_t high,
                      const Dims& shape, DType dtype, Space space) {
  if (low >= high) fail(ErrorKind::kValue, "low >= high");
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  // The remainder of 64 bits: its bias, range / 2^64, is below anything a sample can show.
  const Array bits = random_bits(session, state, shape, space);
  const Array rest =
      ops::remainder(session, bits, Scalar::of(DType::kUInt64, static_cast<int64_t>(range)));
  const Array wide = astype(session, rest, DType::kInt64, Casting::kUnsafe, false);
  return astype(session, ops::add(session, wide, Scalar::of(DType::kInt64, low)), dtype,
                Casting::kUnsafe, false);
}

Array random_draws(Session& session, PhiloxState& state, Row row,
                   std::span<const Operand> parameters, const Dims& shape, Space space) {
  std::vector<Operand> inputs = {random_bits(session, state, shape, space)};
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());
  return apply(session, ufunc(row), inputs, {}, space);
}

// The inverse of the distribution function.
Array random_triangular(Session& session, PhiloxState& state, std::span<const Operand> parameters,
                        const Dims& shape, Space space) {
  const auto& [left, mode, right] = std::tie(parameters[0], parameters[1], parameters[2]);
  const Array u = random_uniform(session, state, shape, DType::kFloat64, space);
  const Array base = ops::subtract(session, right, left, space);
  const Array rise = ops::subtract(session, mode, left, space);
  const Array fall = ops::subtract(session, right, mode, space);
  const Array rest = ops::subtract(session, Scalar::weak(1.0), u);
  const auto root = [&](const Array& share, const Array& side) {
    return ops::sqrt(session, ops::multiply(session, share, ops::multiply(session, side, base)));
  };
  const Array up = ops::add(session, left, root(u, rise));
  const Array down = ops::subtract(session, right, root(rest, fall));
  const Array is_up = ops::less_equal(session, u, ops::divide(session, rise, base));
  return ops::where(session, is_up, up, down);
}

// Each half of an element's Philox block is the key of one of the two draws.
Array random_noncentral_f(Session& session, PhiloxState& state, std::span<const Operand> parameters,
                          const Dims& shape, Space space) {
  const auto& [dfnum, dfden, nonc] = std::tie(parameters[0], parameters[1], parameters[2]);
  const Array block = next_blocks(session, state, shape, space);
  const Array above =
      ops::draw_noncentral_chisquare(session, ops::philox(session, block, key(state)), dfnum, nonc);
  const Array below =
      ops::draw_chisquare(session, ops::philox_second(session, block, key(state)), dfden);
  return ops::divide(session, ops::multiply(session, above, dfden),
                     ops::multiply(session, below, dfnum));
}

Array random_hypergeometric(Session& session, PhiloxState& state,
                            std::span<const Operand> parameters, const Dims& shape, Space space) {
  const auto bits = Scalar::of(DType::kInt64, int64_t{32});
  const Array good = ops::left_shift(session, parameters[0], bits, space);
  const Operand inputs[] = {ops::bitwise_or(session, good, parameters[1]), parameters[2]};
  return random_draws(session, state, Row::draw_hypergeometric, inputs, shape, space);
}

}  // namespace gpy::rt
