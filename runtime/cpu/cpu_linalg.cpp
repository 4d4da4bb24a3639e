#include "runtime/cpu/cpu_linalg.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/cpu/blas.h"
#include "runtime/cpu/cpu_products.h"
#include "runtime/cpu/eigenvalues.h"
#include "runtime/cpu/lapack.h"
#include "runtime/cpu/library_work.h"
#include "runtime/cpu/roomy_stack.h"
#include "runtime/linalg/least_squares.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

// Fortran passes everything by address, and the lengths of strings at the end.
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

// LU halves the columns recursively down to a few, and at each level OpenBLAS keeps data for its
// threads on the stack. Seen to be needed: 3.5 MiB for n = 100, 4.7 for 300 and 1000, 5.3 for 3000.
size_t lu_stack(int64_t n) {
  constexpr size_t kLevel = 1100 << 10;
  constexpr int kLeaf = 3,
                kMostLevels = 10;  // bits of the columns of a leaf; levels up to n = 8191
  const int levels = static_cast<int>(std::bit_width(static_cast<uint64_t>(n))) - kLeaf;
  return kLevel * std::clamp(levels, 1, kMostLevels);
}

class CpuLinalg final : public Linalg, public LeastSquares {
 public:
  explicit CpuLinalg(ThreadPool& threads) : threads_(threads), products_(threads) {}

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
    products_.gemm(dtype, a, b, c, batch, a_step, b_step, c_step);
  }
  void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y, int64_t y_step,
           bool conjugate, void* result) override {
    products_.dot(dtype, n, x, x_step, y, y_step, conjugate, result);
  }
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

  ThreadPool& threads_;
  const CpuProducts products_;
};

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
      in_bands(nrhs_, library_threads(threads_), static_cast<double>(n_) * static_cast<double>(n_),
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
