#include "runtime/cpu/cpu_linalg.h"

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/process.h"
#include "runtime/cpu/blas.h"
#include "runtime/cpu/eigenvalues.h"
#include "runtime/cpu/lapack.h"
#include "runtime/cpu/roomy_stack.h"
#include "runtime/linalg/least_squares.h"
#include "runtime/memory/account.h"
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
using Getrs = void(const char*, const int*, const int*, const void*, const int*, const int*, void*,
                   const int*, int*, size_t);
using Getrf = void(const int*, const int*, void*, const int*, int*, int*);
using Potrf = void(const char*, const int*, void*, const int*, int*, size_t);
using Geqrf = void(const int*, const int*, void*, const int*, void*, void*, const int*, int*);
using Orgqr = void(const int*, const int*, const int*, void*, const int*, const void*, void*,
                   const int*, int*);
using GesddReal = void(const char*, const int*, const int*, void*, const int*, void*, void*,
                       const int*, void*, const int*, void*, const int*, int*, int*, size_t);
using GesddComplex = void(const char*, const int*, const int*, void*, const int*, void*, void*,
                          const int*, void*, const int*, void*, const int*, void*, int*, int*,
                          size_t);
using GelsdReal = void(const int*, const int*, const int*, void*, const int*, void*, const int*,
                       void*, const void*, int*, void*, const int*, int*, int*);
using GelsdComplex = void(const int*, const int*, const int*, void*, const int*, void*, const int*,
                          void*, const void*, int*, void*, const int*, void*, int*, int*);
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
  constexpr int64_t kPiecesAtOnce = 20;
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

// Multiplications of one library call, about a quarter of a second's worth on two cores: larger
// work is cut into pieces, and interrupts are polled between them.
constexpr double kPieceWork = 4e9;
// A product this long is cut even where the last bits of some elements change by it.
constexpr double kLongWork = 64e9;
// The rows that a kernel of OpenBLAS computes at a time divide this, whatever the type: checked
// with the kernels for Haswell, Zen and SkylakeX, with one thread and two.
constexpr int64_t kKernelRows = 96;

// Runs a call that cannot be cut. An interrupt that comes meanwhile ends the run after it.
template <class Work> void in_one_piece(Work&& work) {
  poll_interrupt();
  {
    const LibraryCall call(Library::kBlas);
    work();
  }
  poll_interrupt();
}

// Runs call(i) for all i below `count`, none of which takes long; `piece` of them between polls.
template <class Call> void in_pieces_of(int64_t count, int64_t piece, Call&& call) {
  for (int64_t first = 0; first < count; first += piece) {
    in_one_piece([&] {
      for (int64_t i = first; i < std::min(first + piece, count); ++i) call(i);
    });
  }
}

// Calls work(first, count) for [0, extent) at once or, where that takes long, for bands of it. One
// element of the extent takes `work_each` multiplications.
//
// OpenBLAS rounds the last rows of a thread's part differently where they do not fill its kernel.
// Where threads and kernels divide the extent evenly there are no such rows, and bands give the
// bits of a single call.
template <class Work> void in_bands(int64_t extent, int threads, double work_each, Work&& work) {
  const int64_t unit = kKernelRows * threads;
  const double whole = work_each * static_cast<double>(extent);
  if (whole < (extent % unit == 0 ? 2 * kPieceWork : kLongWork)) {
    return in_one_piece([&] { work(0, extent); });
  }
  const auto most = static_cast<int64_t>(kPieceWork / std::max(work_each, 1.0));
  const int64_t band = std::max<int64_t>(most / unit, 1) * unit;
  for (int64_t first = 0; first < extent;) {
    const int64_t count = extent - first < 2 * band ? extent - first : band;
    poll_interrupt();
    const LibraryCall call(Library::kBlas);
    work(first, count);
    first += count;
  }
  poll_interrupt();
}

// LU halves the columns recursively, and at each level OpenBLAS keeps 530 KiB of data for its
// threads on the stack: here twice that.
size_t lu_stack(int64_t n) {
  constexpr size_t kLevel = 1100 << 10;
  constexpr int kMostLevels = 10;  // seen up to n = 3000; above that the leaves grow
  return kLevel * std::min(static_cast<int>(std::bit_width(static_cast<uint64_t>(n))), kMostLevels);
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

class CpuLinalg final : public Linalg, public LeastSquares {
 public:
  explicit CpuLinalg(ThreadPool& threads) : threads_(threads) {}

  bool available(LinalgPart part, std::string* why) override {
    if (part == LinalgPart::kProducts) return true;
    const Blas& blas = Blas::get();
    if (blas.has_lapack()) return true;
    if (blas.lacks_memory()) blas.fail_missing();
    *why = blas.missing();
    return false;
  }

  bool supports_gemm(DType) override { return true; }

  void gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b, const MatrixView& c,
            int64_t batch, int64_t a_step, int64_t b_step, int64_t c_step) override {
    if (c.rows == 0 || c.cols == 0) return;
    const bool library = is_blas_type(dtype) && Blas::get().has_blas() && fits(a) && fits(b) &&
                         fits(c) && a.cols > 0;
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

  void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y, int64_t y_step,
           bool conjugate, void* result) override;
  void solve(DType dtype, int64_t n, int64_t nrhs, void* a, void* b, int64_t batch,
             int* info) override;
  void lu(DType dtype, int64_t n, void* a, int32_t* pivots, int64_t batch, int* info) override;
  void cholesky(DType dtype, int64_t n, bool upper, void* a, int64_t batch, int* info) override;
  void qr(DType dtype, int64_t m, int64_t n, int64_t k, void* a, void* r, int64_t batch) override;
  void reflectors(DType dtype, int64_t m, int64_t n, void* a, void* tau, int64_t batch) override;
  void svd(DType dtype, int64_t m, int64_t n, bool full, void* a, void* s, void* u, void* vt,
           int64_t batch, int* info) override;
  void eigh(DType dtype, int64_t n, bool upper, bool vectors, void* a, void* w, int64_t batch,
            int* info) override;
  int least_squares(DType dtype, int64_t m, int64_t n, int64_t nrhs, void* a, void* b, void* s,
                    double rcond, int* rank) override;
  void eig(DType dtype, int64_t n, void* a, void* w, void* v, int64_t batch, int* info) override;

 private:
  // Calls each(i, room) for all matrices of a stack, each thread with its own room. Only small
  // matrices are shared among our threads: with large ones OpenBLAS keeps its own busy.
  template <class Routine, class Each>
  void over_stack(const Routine& routine, int64_t batch, Each&& each);
  void banded_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                   const MatrixView& c);
  void library_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                    const MatrixView& c);
  void own_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                const MatrixView& c);
  int library_threads() const {
    const int told = Blas::get().threads();
    return told > 0 ? told : threads_.threads();
  }

  ThreadPool& threads_;
};

void CpuLinalg::banded_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                            const MatrixView& c) {
  const double work_each = static_cast<double>(c.cols) * static_cast<double>(a.cols);
  in_bands(c.rows, library_threads(), work_each, [&](int64_t first, int64_t count) {
    auto rows = [&](auto view) {
      view.data = at(view.data, first * view.row_stride, dtype);
      view.rows = count;
      return view;
    };
    library_gemm(dtype, rows(a), b, rows(c));
  });
}

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

void CpuLinalg::library_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                             const MatrixView& c) {
  if (is_dot(dtype, c)) {
    return dtype == DType::kFloat32 ? dot_in_pieces<float>(threads_, a, b, c.data)
                                    : dot_in_pieces<double>(threads_, a, b, c.data);
  }
  if (c.cols == 1) return library_gemv(dtype, a, b.data, b.row_stride, c.data, c.row_stride);
  if (c.rows == 1)
    return library_gemv(dtype, transposed(b), a.data, a.col_stride, c.data, c.col_stride);
  GemmCall(dtype, a, b, c)(a.data, b.data, c.data);
}

void CpuLinalg::own_gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                         const MatrixView& c) {
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

void CpuLinalg::dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y,
                    int64_t y_step, bool conjugate, void* result) {
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

// Computes the LU factors of each matrix, then solves the right-hand sides by bands: what gesv
// does, in pieces.
void CpuLinalg::solve(DType dtype, int64_t n_, int64_t nrhs_, void* a, void* b, int64_t batch,
                      int* info) {
  const int n = checked_int(n_), leading = std::max(n, 1);
  checked_int(nrhs_);
  std::vector<int> pivots(n);
  auto* getrf = Blas::get().routine<Getrf>(dtype, "getrf");
  auto* getrs = Blas::get().routine<Getrs>(dtype, "getrs");
  with_stack(lu_stack(n_), [&] {
    for (int64_t i = 0; i < batch; ++i) {
      void* lu = at(a, i * n_ * n_, dtype);
      info[i] = 0;
      in_one_piece([&] { getrf(&n, &n, lu, &leading, pivots.data(), &info[i]); });
      if (info[i] != 0) continue;
      in_bands(nrhs_, library_threads(), static_cast<double>(n_) * static_cast<double>(n_),
               [&](int64_t first, int64_t count) {
                 const int columns = static_cast<int>(count);
                 int status = 0;
                 getrs("N", &n, &columns, lu, &leading, pivots.data(),
                       at(b, (i * nrhs_ + first) * n_, dtype), &leading, &status, 1);
                 need_done("getrs", status);
               });
    }
  });
}

void CpuLinalg::lu(DType dtype, int64_t n_, void* a, int32_t* pivots, int64_t batch, int* info) {
  const int n = checked_int(n_), leading = std::max(n, 1);
  auto* getrf = Blas::get().routine<Getrf>(dtype, "getrf");
  with_stack(lu_stack(n_), [&] {
    for (int64_t i = 0; i < batch; ++i) {
      info[i] = 0;
      in_one_piece(
          [&] { getrf(&n, &n, at(a, i * n_ * n_, dtype), &leading, pivots + i * n_, &info[i]); });
    }
  });
}

void CpuLinalg::cholesky(DType dtype, int64_t n_, bool upper, void* a, int64_t batch, int* info) {
  const int n = checked_int(n_), leading = std::max(n, 1);
  const char triangle = upper ? 'U' : 'L';
  auto* potrf = Blas::get().routine<Potrf>(dtype, "potrf");
  for (int64_t i = 0; i < batch; ++i) {
    info[i] = 0;
    in_one_piece([&] { potrf(&triangle, &n, at(a, i * n_ * n_, dtype), &leading, &info[i], 1); });
  }
}

void CpuLinalg::qr(DType dtype, int64_t m_, int64_t n_, int64_t k_, void* a, void* r,
                   int64_t batch) {
  const int m = checked_int(m_), n = checked_int(n_), k = checked_int(k_);
  const int least = std::min(m, n), leading = std::max(m, 1);
  const int64_t item = item_size(dtype), columns = std::max(n_, k_);
  auto* geqrf = Blas::get().routine<Geqrf>(dtype, "geqrf");
  auto* orgqr = Blas::get().routine<Orgqr>(dtype, is_complex(dtype) ? "ungqr" : "orgqr");
  std::vector<std::byte> tau(std::max(least, 1) * item);
  int status = 0, ask = -1;
  LapackNumber for_geqrf(dtype, 0), for_orgqr(dtype, 0);
  geqrf(&m, &n, a, &leading, tau.data(), for_geqrf.bytes, &ask, &status);
  need_done("geqrf", status);
  orgqr(&m, &k, &least, a, &leading, tau.data(), for_orgqr.bytes, &ask, &status);
  need_done("orgqr", status);
  const int work = std::max(workspace_size(dtype, for_geqrf), workspace_size(dtype, for_orgqr));
  const Charge scratch(work * item);
  std::vector<std::byte> room(work * item);
  for (int64_t i = 0; i < batch; ++i) {
    std::byte* matrix = at(a, i * m_ * columns, dtype);
    std::byte* upper = at(r, i * k_ * n_, dtype);
    in_one_piece([&] { geqrf(&m, &n, matrix, &leading, tau.data(), room.data(), &work, &status); });
    need_done("geqrf", status);
    std::memset(upper, 0, k_ * n_ * item);
    for (int64_t column = 0; column < n_; ++column) {
      std::memcpy(upper + column * k_ * item, matrix + column * m_ * item,
                  std::min(column + 1, int64_t{std::min(least, k)}) * item);
    }
    in_one_piece(
        [&] { orgqr(&m, &k, &least, matrix, &leading, tau.data(), room.data(), &work, &status); });
    need_done("orgqr", status);
  }
}

void CpuLinalg::reflectors(DType dtype, int64_t m_, int64_t n_, void* a, void* tau, int64_t batch) {
  const int m = checked_int(m_), n = checked_int(n_), leading = std::max(m, 1);
  auto* geqrf = Blas::get().routine<Geqrf>(dtype, "geqrf");
  int status = 0, ask = -1;
  LapackNumber answer(dtype, 0);
  geqrf(&m, &n, a, &leading, tau, answer.bytes, &ask, &status);
  need_done("geqrf", status);
  const int work = workspace_size(dtype, answer);
  const Charge scratch(work * item_size(dtype));
  std::vector<std::byte> room(work * item_size(dtype));
  for (int64_t i = 0; i < batch; ++i) {
    in_one_piece([&] {
      geqrf(&m, &n, at(a, i * m_ * n_, dtype), &leading, at(tau, i * std::min(m_, n_), dtype),
            room.data(), &work, &status);
    });
    need_done("geqrf", status);
  }
}

void CpuLinalg::svd(DType dtype, int64_t m_, int64_t n_, bool full, void* a, void* s, void* u,
                    void* vt, int64_t batch, int* info) {
  const int m = checked_int(m_), n = checked_int(n_), least = std::min(m, n), most = std::max(m, n);
  const int leading = std::max(m, 1);
  const int64_t u_columns = full ? m : least, vt_rows = full ? n : least;
  const int vt_leading = std::max<int>(static_cast<int>(vt_rows), 1);
  const char job = !u ? 'N' : full ? 'A' : 'S';
  const DType real = real_type(dtype);
  std::vector<int> integers(std::max(8 * least, 1));
  const int64_t reals = is_complex(dtype)
                            ? int64_t{least} * std::max(5 * int64_t{least} + 7,
                                                        2 * int64_t{most} + 2 * int64_t{least} + 1)
                            : 0;
  std::vector<std::byte> real_room(std::max<int64_t>(reals, 1) * item_size(real));
  auto call = [&](std::byte* matrix, void* values, void* left, void* right, void* work, int size,
                  int* status) {
    if (is_complex(dtype)) {
      Blas::get().routine<GesddComplex>(dtype, "gesdd")(
          &job, &m, &n, matrix, &leading, values, left, &leading, right, &vt_leading, work, &size,
          real_room.data(), integers.data(), status, 1);
    } else {
      Blas::get().routine<GesddReal>(dtype, "gesdd")(&job, &m, &n, matrix, &leading, values, left,
                                                     &leading, right, &vt_leading, work, &size,
                                                     integers.data(), status, 1);
    }
  };
  LapackNumber answer(dtype, 0);
  int status = 0;
  call(static_cast<std::byte*>(a), s, u, vt, answer.bytes, -1, &status);
  need_done("gesdd", status);
  const int size = workspace_size(dtype, answer);
  const Charge scratch(size * item_size(dtype));
  std::vector<std::byte> room(size * item_size(dtype));
  for (int64_t i = 0; i < batch; ++i) {
    info[i] = 0;
    in_one_piece([&] {
      call(at(a, i * m_ * n_, dtype), at(s, i * least, real),
           u ? at(u, i * m_ * u_columns, dtype) : nullptr,
           vt ? at(vt, i * vt_rows * n_, dtype) : nullptr, room.data(), size, &info[i]);
    });
    constexpr int kHoldsNan = -4;  // gesdd's argument 4, the matrix
    if (info[i] == kHoldsNan) info[i] = 1;
  }
}

int CpuLinalg::least_squares(DType dtype, int64_t m_, int64_t n_, int64_t nrhs_, void* a, void* b,
                             void* s, double rcond, int* rank) {
  const int m = checked_int(m_), n = checked_int(n_), nrhs = checked_int(nrhs_);
  const int a_leading = std::max(m, 1), b_leading = std::max({m, n, 1});
  const DType real = real_type(dtype);
  const LapackNumber least(real, rcond);
  int status = 0;
  auto call = [&](void* work, int size, void* reals, int* integers) {
    if (is_complex(dtype)) {
      Blas::get().routine<GelsdComplex>(dtype, "gelsd")(&m, &n, &nrhs, a, &a_leading, b, &b_leading,
                                                        s, least.bytes, rank, work, &size, reals,
                                                        integers, &status);
    } else {
      Blas::get().routine<GelsdReal>(dtype, "gelsd")(&m, &n, &nrhs, a, &a_leading, b, &b_leading, s,
                                                     least.bytes, rank, work, &size, integers,
                                                     &status);
    }
  };
  LapackNumber size(dtype, 0), reals(real, 0);
  int integers = 0;
  call(size.bytes, -1, reals.bytes, &integers);
  need_done("gelsd", status);
  const int numbers = workspace_size(dtype, size);
  const size_t bytes = numbers * item_size(dtype),
               real_bytes = workspace_size(real, reals) * item_size(real);
  const Charge scratch(bytes + real_bytes + integers * sizeof(int));
  std::vector<std::byte> room(bytes), real_room(real_bytes);
  std::vector<int> integer_room(std::max(integers, 1));
  in_one_piece([&] { call(room.data(), numbers, real_room.data(), integer_room.data()); });
  return status;
}

template <class Routine, class Each>
void CpuLinalg::over_stack(const Routine& routine, int64_t batch, Each&& each) {
  constexpr int64_t kMostShared = 64, kGrainWork = 100000;
  const int64_t n = routine.order();
  const bool is_shared = n <= kMostShared && threads_.threads() > 1;
  const int64_t grain = is_shared ? std::max<int64_t>(kGrainWork / (10 * n * n * n), 1) : batch;
  const Charge scratch(routine.room().bytes() * (is_shared ? threads_.threads() : 1));
  threads_.run(batch, grain, [&](int64_t from, int64_t to) {
    Room room = routine.room().make();
    for (int64_t i = from; i < to; ++i) in_one_piece([&] { each(i, room); });
  });
}

void CpuLinalg::eigh(DType dtype, int64_t n, bool upper, bool vectors, void* a, void* w,
                     int64_t batch, int* info) {
  const HermitianEigen routine(dtype, n, upper, vectors);
  over_stack(routine, batch, [&](int64_t i, Room& room) {
    routine.run(at(a, i * n * n, dtype), at(w, i * n, real_type(dtype)), room, &info[i]);
  });
}

void CpuLinalg::eig(DType dtype, int64_t n, void* a, void* w, void* v, int64_t batch, int* info) {
  const GeneralEigen routine(dtype, n, v != nullptr);
  over_stack(routine, batch, [&](int64_t i, Room& room) {
    routine.run(at(a, i * n * n, dtype), at(w, i * n, complex_type(dtype)),
                v ? at(v, i * n * n, dtype) : nullptr, room, &info[i]);
  });
}

}  // namespace

std::unique_ptr<Linalg> make_cpu_linalg(ThreadPool& threads) {
  return std::make_unique<CpuLinalg>(threads);
}

}  // namespace gpy::rt
