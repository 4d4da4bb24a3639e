#pragma once

// The orthogonal factors of many matrices from the reflectors that a QR factorisation left, for
// which cuBLAS and cuSOLVER have no routine. Knows no library: what it needs of one is given.
//
// With the reflectors v as columns of V, q = H1 H2 ... = (I - V T V^H) and
// T = (diag(1 / tau) + the strict upper triangle of V^H V)^-1 (Puglisi 1992), which is here
// T = (I + diag(tau) S)^-1 diag(tau): a tau of 0 stands for no reflection.

#include <algorithm>
#include <cstdint>
#include <functional>

#include "runtime/backend.h"
#include "runtime/linalg/linalg.h"

namespace gpy::rt::cuda {

// `batch` column-major matrices of m x n, each in room for max(n, k) columns; q has k columns.
struct QrStack {
  DType dtype;
  int64_t m, n, k, batch;

  int64_t reflectors() const { return std::min(m, n); }
  int64_t step() const { return m * std::max(n, k); }
};

struct StackRoutines {
  // c = a @ b for the whole stack, whose matrices are so many elements apart.
  std::function<void(const ConstMatrixView& a, int64_t a_step, const ConstMatrixView& b,
                     int64_t b_step, const MatrixView& c, int64_t c_step)>
      multiply;
  // u x = b, where the diagonals of the upper triangles u (order x order) count as ones; b
  // (order x columns) becomes x. Both are one after another.
  std::function<void(int64_t order, int64_t columns, void* u, void* b)> solve_upper;
};

// r (k x n, one after another) = the upper triangles of what geqrf left in `a`, zero below.
void copy_upper(Backend& backend, const QrStack& stack, const void* a, void* r);
// a becomes q. tau: reflectors() a matrix, one after another.
void form_q(Backend& backend, const QrStack& stack, const StackRoutines& routines, void* a,
            const void* tau);

}  // namespace gpy::rt::cuda
