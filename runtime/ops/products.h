#pragma once

// Products, factorisations and convolution, in the place of their operands.

#include <optional>

#include "runtime/session.h"

namespace gpy::rt {

// NumPy's matmul and dot. Throws kValue "matmul: Input operand 1 has a mismatch in its core
// dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 4 is different from 3)".
Array matmul(Session& session, const Array& a, const Array& b);
Array dot(Session& session, const Array& a, const Array& b);
Array vdot(Session& session, const Array& a, const Array& b);
Array inner(Session& session, const Array& a, const Array& b);
Array outer(Session& session, const Array& a, const Array& b);
Array trace(Session& session, const Array& array, int64_t offset, int64_t axis1, int64_t axis2,
            std::optional<DType> dtype);

// Stacks of matrices. Throws kLinAlg "Singular matrix", "Last 2 dimensions of the array must be
// square", ...
Array solve(Session& session, const Array& a, const Array& b);
// The triangle L of a = L L*, or U of a = U* U; only that triangle of a is read. Throws kLinAlg
// "Matrix is not positive definite".
Array cholesky(Session& session, const Array& a, bool upper);
Array inverse(Session& session, const Array& a);
Array determinant(Session& session, const Array& a);
// Sign (of complex matrices: a number on the unit circle) and natural logarithm of the determinant.
struct LogDeterminant {
  Array sign, log;
};
LogDeterminant log_determinant(Session& session, const Array& a);
struct QR {
  Array q, r;
};
enum class QRMode : uint8_t { kReduced, kComplete, kR };
QR qr(Session& session, const Array& a, QRMode mode);
// What QR is made of: r on and above the diagonal of h, Householder's vectors below it, and their
// min(m, n) factors.
struct Reflectors {
  Array h, tau;
};
Reflectors reflectors(Session& session, const Array& a);
struct SVD {
  Array u, s, vh;
};
SVD svd(Session& session, const Array& a, bool full_matrices, bool compute_uv);
// x where the matrix a times x is nearest to the matrix b. x has as many rows as the longer side of
// a; those beyond its columns are the residuals in other coordinates: their squares' sums are the
// same if the rank is full. Nothing where an extent is 0, or the place has no routine for it.
// Throws kLinAlg.
struct Solution {
  Array x, s;
  int rank = 0;
};
std::optional<Solution> try_least_squares(Session& session, const Array& a, const Array& b,
                                          double rcond);
// Eigenvalues, and the vectors in columns where they are asked for. Throw kLinAlg "Eigenvalues did
// not converge".
struct Eigen {
  Array values, vectors;
};
// Of hermitian matrices, of which one triangle is read: real values, ascending.
Eigen eigh(Session& session, const Array& a, bool upper, bool vectors);
// Of any matrices: complex, or real where the matrices and all their values are.
Eigen eig(Session& session, const Array& a, bool vectors);

enum class ConvolveMode : uint8_t { kFull, kSame, kValid };
Array convolve(Session& session, const Array& a, const Array& v, ConvolveMode mode);
// Zero fill outside, or `fill`; correlate flips and conjugates the kernel.
Array convolve2d(Session& session, const Array& a, const Array& v, ConvolveMode mode);

}  // namespace gpy::rt
