#include "runtime/cpu/cpu_products.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/cpu/blas.h"
#include "runtime/cpu/lapack.h"
#include "runtime/cpu/library_work.h"
#include "runtime/ops/matrix_loops.h"
#include "runtime/tiles/rows.h"

namespace gpy::rt {
namespace {

// Fortran passes everything by address, and the lengths of strings at the end.
using Gemm = void(const char*, const char*, const int*, const int*, const int*, const void*,
                  const void*, const int*, const void*, const int*, const void*, void*, const int*,
                  size_t, size_t);
using Gemv = void(const char*, const int*, const int*, const void*, const void*, const int*,
                  const void*, const int*, const void*, void*, const int*, size_t);
using Syrk = void(const char*, const char*, const int*, const int*, const void*, const void*,
                  const int*, const void*, void*, const int*, size_t, size_t);

bool is_blas_type(DType dtype) { return is_inexact(dtype) && !is_narrow_float(dtype); }

// A matrix as a library takes it: column-major, or the transpose of that.
struct BlasMatrix {
  char transposed;
  int leading;
};
bool fits(const ConstMatrixView& m) {
  return (m.col_stride == 1 && m.row_stride >= std::max<int64_t>(m.cols, 1)) ||
         (m.row_stride == 1 && m.col_stride >= std::max<int64_t>(m.rows, 1));
}
BlasMatrix blas_matrix(const ConstMatrixView& m, bool flip) {
  const bool by_columns = m.row_stride == 1 && m.col_stride >= std::max<int64_t>(m.rows, 1);
  return {by_columns != flip ? 'N' : 'T', checked_int(by_columns ? m.col_stride : m.row_stride)};
}

// Looked up once: a small product takes no longer than a lookup in the library.
template <class Routine> struct RoutineOfTypes {
  std::array<Routine*, 4> all;

  explicit RoutineOfTypes(const char* name) {
    for (int i = 0; i < 4; ++i) {
      constexpr DType kTypes[] = {DType::kFloat32, DType::kFloat64, DType::kComplex64,
                                  DType::kComplex128};
      all[i] = Blas::get().routine<Routine>(kTypes[i], name);
    }
  }
  Routine* of(DType dtype) const { return all[dtype.index() - DType::kFloat32.index()]; }
};

Gemm* gemm_of(DType dtype) {
  static const RoutineOfTypes<Gemm> routines("gemm");
  return routines.of(dtype);
}
Syrk* syrk_of(DType dtype) {
  static const RoutineOfTypes<Syrk> routines("syrk");
  return routines.of(dtype);
}
Gemv* gemv_of(DType dtype) {
  static const RoutineOfTypes<Gemv> routines("gemv");
  return routines.of(dtype);
}

// Calls piece(first row, rows, first column, columns) for short pieces of a product of `inner`
// steps an element, and polls for interrupts between them.
template <class Piece> void in_pieces(int64_t rows, int64_t cols, int64_t inner, Piece&& piece) {
  constexpr int64_t kMostSteps = 1 << 24, kFewestCols = 1 << 8, kFewestRows = 4;
  const int64_t elements = kMostSteps / std::max<int64_t>(inner, 1);
  const int64_t wide = std::clamp(elements / kFewestRows, kFewestCols, std::max(cols, kFewestCols));
  const int64_t high = std::max(elements / std::min(wide, cols), kFewestRows);
  for (int64_t row = 0; row < rows; row += high) {
    for (int64_t col = 0; col < cols; col += wide) {
      poll_interrupt();
      piece(row, std::min(high, rows - row), col, std::min(wide, cols - col));
    }
  }
}

// OpenBLAS splits longer ones among its threads, whose number then affects the rounding: here they
// are cut at fixed places.
constexpr int64_t kLongestDot = 10000;

bool is_dot(DType dtype, const MatrixView& c) {
  const bool real = dtype == DType::kFloat32 || dtype == DType::kFloat64;
  return real && c.rows == 1 && c.cols == 1;
}

template <class F>
F library_dot(int64_t n, const F* x, int64_t x_step, const F* y, int64_t y_step) {
  using Dot = F(const int*, const void*, const int*, const void*, const int*);
  constexpr DType kType = std::is_same_v<F, float> ? DType::kFloat32 : DType::kFloat64;
  static Dot* const dot = Blas::get().routine<Dot>(kType, "dot");
  const int count = static_cast<int>(n), x_stride = checked_int(x_step),
            y_stride = checked_int(y_step);
  return dot(&count, x, &x_stride, y, &y_stride);
}

// The product of a row and a column, as NumPy does it.
template <class F>
void dot_in_pieces(ThreadPool& threads, const ConstMatrixView& a, const ConstMatrixView& b,
                   void* result) {
  const F* const x = static_cast<const F*>(a.data);
  const F* const y = static_cast<const F*>(b.data);
  const int64_t pieces = std::max<int64_t>((a.cols + kLongestDot - 1) / kLongestDot, 1);
  std::array<F, 16> few;
  std::vector<F> many(pieces > std::ssize(few) ? pieces : 0);
  F* const sums = many.empty() ? few.data() : many.data();
  constexpr int64_t kPiecesAtOnce = 4;
  threads.run(pieces, kPiecesAtOnce, [&](int64_t from, int64_t to) {
    for (int64_t piece = from; piece < to; ++piece) {
      poll_interrupt();
      const int64_t first = piece * kLongestDot;
      sums[piece] = library_dot(std::min(a.cols - first, kLongestDot), x + first * a.col_stride,
                                a.col_stride, y + first * b.row_stride, b.row_stride);
    }
  });
  F sum = sums[0];
  for (int64_t piece = 1; piece < pieces; ++piece) sum += sums[piece];
  std::memcpy(result, &sum, sizeof sum);
}

// Whether b is a's transpose, there is more than one row, and the product may be one call.
bool is_square_of(const ConstMatrixView& a, const ConstMatrixView& b) {
  return a.data == b.data && a.rows > 1 && a.rows == b.cols && a.cols == b.rows &&
         a.row_stride == b.col_stride && a.col_stride == b.row_stride &&
         static_cast<double>(a.rows) * static_cast<double>(a.rows) * static_cast<double>(a.cols) <
             kLongWork;
}

// c = a a', half of which is computed.
void library_square(DType dtype, const ConstMatrixView& a, const MatrixView& c) {
  const BlasMatrix matrix = blas_matrix(a, false);
  const bool by_rows = c.col_stride == 1;
  const int n = checked_int(a.rows), k = checked_int(a.cols);
  const int leading = checked_int(by_rows ? c.row_stride : c.col_stride);
  const LapackNumber one(dtype, 1), zero(dtype, 0);
  in_one_piece([&] {
    syrk_of(dtype)("U", &matrix.transposed, &n, &k, one.bytes, a.data, &matrix.leading, zero.bytes,
                   c.data, &leading, 1, 1);
  });
  with_word(static_cast<int>(item_size(dtype)), [&](auto word) {
    using Word = decltype(word);
    Word* const elements = static_cast<Word*>(c.data);
    for (int64_t column = 0; column < c.cols; ++column) {
      for (int64_t row = 0; row < column; ++row) {
        elements[row * leading + column] = elements[column * leading + row];
      }
    }
  });
}

// A product of matrices with these extents and strides. A row-major c is the transpose by columns:
// b' a'.
class GemmCall {
 public:
  GemmCall(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b, const MatrixView& c)
      : routine_(gemm_of(dtype)),
        by_rows_(c.col_stride == 1 && c.row_stride >= std::max<int64_t>(c.cols, 1)),
        first_(blas_matrix(by_rows_ ? b : a, by_rows_)),
        second_(blas_matrix(by_rows_ ? a : b, by_rows_)),
        m_(checked_int(by_rows_ ? c.cols : c.rows)),
        n_(checked_int(by_rows_ ? c.rows : c.cols)),
        k_(checked_int(a.cols)),
        leading_(checked_int(by_rows_ ? c.row_stride : c.col_stride)),
        one_(dtype, 1),
        zero_(dtype, 0) {}

  void operator()(const void* a, const void* b, void* c) const {
    if (by_rows_) std::swap(a, b);
    routine_(&first_.transposed, &second_.transposed, &m_, &n_, &k_, one_.bytes, a, &first_.leading,
             b, &second_.leading, zero_.bytes, c, &leading_, 1, 1);
  }

 private:
  Gemm* routine_;
  bool by_rows_;
  BlasMatrix first_, second_;
  int m_, n_, k_, leading_;
  LapackNumber one_, zero_;
};

// y = a x, strides in elements.
void library_gemv(DType dtype, const ConstMatrixView& a, const void* x, int64_t x_step, void* y,
                  int64_t y_step) {
  const BlasMatrix matrix = blas_matrix(a, false);
  const bool flipped = matrix.transposed == 'T';
  const int m = checked_int(flipped ? a.cols : a.rows), n = checked_int(flipped ? a.rows : a.cols);
  const int x_stride = checked_int(x_step), y_stride = checked_int(y_step);
  const LapackNumber one(dtype, 1), zero(dtype, 0);
  // Some versions multiply what is there by zero, and keep a NaN.
  for (int64_t i = 0; i < a.rows; ++i) {
    std::memset(static_cast<std::byte*>(y) + i * y_step * item_size(dtype), 0, item_size(dtype));
  }
  gemv_of(dtype)(&matrix.transposed, &m, &n, one.bytes, a.data, &matrix.leading, x, &x_stride,
                 zero.bytes, y, &y_stride, 1);
}

}  // namespace

int library_threads(const ThreadPool& threads) {
  const int told = Blas::get().threads();
  return told > 0 ? told : threads.threads();
}

void CpuProducts::banded_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                              const MatrixView& c) const {
  const double work_each = static_cast<double>(c.cols) * static_cast<double>(a.cols);
  in_bands(c.rows, library_threads(threads_), work_each, [&](int64_t first, int64_t count) {
    auto rows = [&](auto view) {
      view.data = at(view.data, first * view.row_stride, dtype);
      view.rows = count;
      return view;
    };
    library_gemm(dtype, rows(a), b, rows(c));
  });
}

void CpuProducts::library_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                               const MatrixView& c) const {
  if (is_dot(dtype, c)) {
    return dtype == DType::kFloat32 ? dot_in_pieces<float>(threads_, a, b, c.data)
                                    : dot_in_pieces<double>(threads_, a, b, c.data);
  }
  if (c.cols == 1) return library_gemv(dtype, a, b.data, b.row_stride, c.data, c.row_stride);
  if (c.rows == 1)
    return library_gemv(dtype, transposed(b), a.data, a.col_stride, c.data, c.col_stride);
  GemmCall(dtype, a, b, c)(a.data, b.data, c.data);
}

void CpuProducts::own_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                           const MatrixView& c) const {
  if (c.col_stride != 1 && c.cols > 1) {  // its transpose has rows side by side
    if (c.row_stride != 1) fail(ErrorKind::kNotImplemented, "gemm: the result is not contiguous");
    return own_gemm(dtype, transposed(b), transposed(a), transposed(c));
  }
  ConstMatrixView right = b;
  std::vector<std::byte> packed;
  if (b.col_stride != 1 && b.cols > 1) {
    packed.resize(b.rows * b.cols * item_size(dtype));
    with_word(static_cast<int>(item_size(dtype)), [&](auto word) {
      using Word = decltype(word);
      for (int64_t row = 0; row < b.rows; ++row) {
        load_row(reinterpret_cast<Word*>(packed.data()) + row * b.cols,
                 static_cast<const Word*>(b.data) + row * b.row_stride, b.col_stride, b.cols);
      }
    });
    right.data = packed.data();
    right.row_stride = b.cols;
  }
  const auto multiply = [&](int64_t row, int64_t rows, int64_t col, int64_t cols) {
    matrix_loop(dtype)(at(a.data, row * a.row_stride, dtype), a.row_stride, a.col_stride,
                       at(right.data, col, dtype), right.row_stride,
                       at(c.data, row * c.row_stride + col, dtype), c.row_stride, rows, cols,
                       a.cols);
  };
  constexpr int64_t kWork = 65536;
  if (c.rows == 1) {
    const int64_t piece = std::max<int64_t>(kWork / std::max<int64_t>(a.cols, 1), 1024);
    threads_.run(c.cols, piece, [&](int64_t from, int64_t to) {
      for (int64_t col = from; col < to; col += piece) {
        poll_interrupt();
        multiply(0, 1, col, std::min(piece, to - col));
      }
    });
    return;
  }
  const int64_t row_work = std::max<int64_t>(b.rows * b.cols, 1);
  threads_.run(c.rows, std::max<int64_t>(kWork / row_work, 4), [&](int64_t from, int64_t to) {
    in_pieces(to - from, c.cols, a.cols, [&](int64_t row, int64_t rows, int64_t col, int64_t cols) {
      multiply(from + row, rows, col, cols);
    });
  });
}

void CpuProducts::gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                       const MatrixView& c, int64_t batch, int64_t a_step, int64_t b_step,
                       int64_t c_step) const {
  if (c.rows == 0 || c.cols == 0) return;
  const bool library =
      is_blas_type(dtype) && Blas::get().has_blas() && fits(a) && fits(b) && fits(c) && a.cols > 0;
  constexpr double kSmallWork = 32 * 32 * 32;
  const double work =
      static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(a.cols);
  const bool matrices = c.rows > 1 && c.cols > 1 && !is_square_of(a, b);
  if (library && batch > 1 && matrices && work <= kSmallWork) {
    const GemmCall multiply(dtype, a, b, c);
    return in_pieces_of(batch, static_cast<int64_t>(kPieceWork / kSmallWork), [&](int64_t i) {
      multiply(at(a.data, i * a_step, dtype), at(b.data, i * b_step, dtype),
               at(c.data, i * c_step, dtype));
    });
  }
  for (int64_t i = 0; i < batch; ++i) {
    ConstMatrixView x = a, y = b;
    MatrixView z = c;
    x.data = at(a.data, i * a_step, dtype);
    y.data = at(b.data, i * b_step, dtype);
    z.data = at(c.data, i * c_step, dtype);
    if (library && is_square_of(x, y)) library_square(dtype, x, z);
    else library ? banded_gemm(dtype, x, y, z) : own_gemm(dtype, x, y, z);
  }
}

void CpuProducts::dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y,
                      int64_t y_step, bool conjugate, void* result) const {
  std::vector<std::byte> conjugated;
  if (conjugate && is_complex(dtype)) {
    conjugated.resize(n * item_size(dtype));
    with_word(static_cast<int>(item_size(dtype)), [&](auto word) {
      using Word = decltype(word);
      load_row(reinterpret_cast<Word*>(conjugated.data()), static_cast<const Word*>(x), x_step, n);
    });
    const auto negate = [&]<class F>(std::complex<F>* values) {
      for (int64_t i = 0; i < n; ++i) values[i] = std::conj(values[i]);
    };
    if (dtype == DType::kComplex64)
      negate(reinterpret_cast<std::complex<float>*>(conjugated.data()));
    if (dtype == DType::kComplex128)
      negate(reinterpret_cast<std::complex<double>*>(conjugated.data()));
    x = conjugated.data();
    x_step = 1;
  }
  // A row times a column.
  const ConstMatrixView row{x, 1, n, std::max<int64_t>(n, 1), x_step};
  const ConstMatrixView column{y, n, 1, y_step, 1};
  const MatrixView one{result, 1, 1, 1, 1};
  gemm(dtype, row, column, one, 1, 0, 0, 0);
}

}  // namespace gpy::rt
