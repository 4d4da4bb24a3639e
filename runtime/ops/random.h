#pragma once

// Random numbers by index (Philox4x32-10): element i of the n-th draw depends on the seed, on n and
// on i alone, so the host and a GPU give the same bits and draws fuse like any expression.

#include "runtime/ops/ufunc.h"
#include "runtime/session.h"

namespace gpy::rt {

struct PhiloxState {
  uint64_t seed = 0;
  uint64_t drawn = 0;  // elements drawn so far
};

Array random_bits(Session& session, PhiloxState& state, const Dims& shape, Space space);  // uint64
Array random_uniform(Session& session, PhiloxState& state, const Dims& shape, DType dtype,
                     Space space);  // [0, 1)
Array random_normal(Session& session, PhiloxState& state, const Dims& shape, DType dtype,
                    Space space);
// Integers in [low, high).
Array random_integers(Session& session, PhiloxState& state, int64_t low, int64_t high,
                      const Dims& shape, DType dtype, Space space);

// Draws of a row of ufuncs/draws.def, whose float64 or int64 parameters broadcast to `shape`.
Array random_draws(Session& session, PhiloxState& state, Row row,
                   std::span<const Operand> parameters, const Dims& shape, Space space);
// Of left, mode and right.
Array random_triangular(Session& session, PhiloxState& state, std::span<const Operand> parameters,
                        const Dims& shape, Space space);
// Of dfnum, dfden and nonc.
Array random_noncentral_f(Session& session, PhiloxState& state, std::span<const Operand> parameters,
                          const Dims& shape, Space space);
// Of ngood, nbad, both of 31 bits, and nsample.
Array random_hypergeometric(Session& session, PhiloxState& state,
                            std::span<const Operand> parameters, const Dims& shape, Space space);

}  // namespace gpy::rt
