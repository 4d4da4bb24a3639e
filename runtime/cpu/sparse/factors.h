#pragma once

// L U of a square sparse matrix in the host's memory, by SuperLU where gpy was built with it.

#include "runtime/sparse/sparse.h"

namespace gpy::rt {

// See Sparse::factorise.
std::optional<SparseFactors> factorise_on_host(const SparseRows& by_columns,
                                               const FactorOptions& options);

}  // namespace gpy::rt
