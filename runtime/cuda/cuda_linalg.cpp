#include "runtime/cuda/cuda_linalg.h"

#include <climits>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/core/process.h"
#include "runtime/cuda/cublas.h"
#include "runtime/cuda/cusolver.h"
#include "runtime/cuda/form_q.h"
#include "runtime/cuda/matrix_addresses.h"
#include "runtime/linalg/small_inverses.h"

namespace gpy::rt::cuda {
namespace {

int as_int(int64_t value) {
  if (value > INT_MAX)
    fail(ErrorKind::kNotImplemented, "cuSOLVER: an extent of {} is too large", value);
  return static_cast<int>(value);
}

char* matrix(void* first, int64_t index, int64_t elements, DType dtype) {
  return static_cast<char*>(first) + index * elements * item_size(dtype);
}

// Distances in elements: from one matrix to the next, from row to row, from column to column.
struct MatricesLayout {
  int64_t step, row_stride, col_stride;
};

// Copies `count` matrices of rows x cols, conjugated if asked.
Plan copy_plan(DType dtype, int64_t count, int64_t rows, int64_t cols, const MatricesLayout& from,
               const MatricesLayout& to, bool conjugate) {
  Plan plan;
  plan.extents = {count, cols, rows};
  plan.inputs = {{PlanInput::Kind::kBuffer, dtype, {from.step, from.col_stride, from.row_stride}}};
  Register copied = 0;
  if (conjugate && is_complex(dtype)) {
    const Ufunc& conjugated = ufunc(Row::conjugate);
    const UfuncLoop* loop = resolve(conjugated, {&dtype, 1});
    PlanOp op;
    op.ufunc = conjugated.id;
    op.loop = static_cast<uint16_t>(loop - conjugated.loops.data());
    op.dtype = dtype;
    op.args = {0, kNoRegister, kNoRegister};
    plan.ops = {op};
    copied = 1;
  }
  plan.outputs = {{copied, dtype, {to.step, to.col_stride, to.row_stride}, kNoRegister}};
  return plan;
}

// Checks infos on the device, of routines that fail only by a wrong argument.
void need_done(Backend& backend, const Buffer& infos, int64_t first, int64_t count) {
  std::vector<int> info(count);
  const auto* from = static_cast<const int*>(infos.data()) + first;
  backend.download(info.data(), from, count * sizeof(int));
  for (const int each : info) {
    if (each != 0) fail(ErrorKind::kRuntime, "cuSOLVER: a routine gave info {}", each);
  }
}

class CudaLinalg final : public Linalg, public SmallInverses {
 public:
  CudaLinalg(Context& context, Backend& backend)
      : context_(context), backend_(backend), addresses_(backend) {}

  bool available(LinalgPart part, std::string* why) override;
  bool supports_gemm(DType dtype) override { return is_inexact(dtype); }
  void gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b, const MatrixView& c,
            int64_t batch, int64_t a_step, int64_t b_step, int64_t c_step) override;
  void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y, int64_t y_step,
           bool conjugate, void* result) override;
  void solve(DType dtype, int64_t n, int64_t nrhs, void* a, void* b, int64_t batch,
             int* info) override;
  int64_t most_rows() const override { return 32; }  // cuBLAS's limit
  void inverse(DType dtype, int64_t n, const void* a, void* inverse, int64_t batch,
               int* info) override;
  void lu(DType dtype, int64_t n, void* a, int32_t* pivots, int64_t batch, int32_t* info) override;
  void cholesky(DType dtype, int64_t n, bool upper, void* a, int64_t batch, int* info) override;
  void qr(DType dtype, int64_t m, int64_t n, int64_t k, void* a, void* r, int64_t batch) override;
  void reflectors(DType dtype, int64_t m, int64_t n, void* a, void* tau, int64_t batch) override;
  void svd(DType dtype, int64_t m, int64_t n, bool full, void* a, void* s, void* u, void* vt,
           int64_t batch, int* info) override;
  void eigh(DType dtype, int64_t n, bool upper, bool vectors, void* a, void* w, int64_t batch,
            int* info) override;
  void eig(DType dtype, int64_t n, void* a, void* w, void* v, int64_t batch, int* info) override;

 private:
  Cublas& blas() {
    if (!blas_) blas_ = std::make_unique<Cublas>(context_);
    return *blas_;
  }
  Cusolver& solver() {
    if (!solver_) solver_ = std::make_unique<Cusolver>(context_, backend_);
    return *solver_;
  }
  int* ints(const Ref<Buffer>& buffer) const { return static_cast<int*>(buffer->data()); }
  // An array on the device with the addresses of `count` matrices of `elements` elements each.
  Ref<Buffer> addresses(const void* first, int64_t elements, DType dtype, int64_t count) {
    return addresses_.of(first, elements * static_cast<int64_t>(item_size(dtype)), count);
  }
  // True where one call for all of them is cheaper than a call for each.
  static bool at_once(int64_t n, int64_t batch) { return batch > 1 && n <= kAtOnce; }
  static constexpr int64_t kAtOnce = 512;
  void copy_matrices(const Plan& plan, const void* from, void* to);
  static constexpr int64_t kQrAtOnce = 256;  // rows and columns; at 100 it is 10 times faster
  // By cuBLAS, which has no routine for q: a few products make it of all matrices at once.
  void qr_at_once(const QrStack& stack, void* a, void* r, void* tau);

  Context& context_;
  Backend& backend_;
  MatrixAddresses addresses_;
  ForkSafe<std::mutex> mutex_;
  std::unique_ptr<Cublas> blas_;
  std::unique_ptr<Cusolver> solver_;
  std::string missing_[3];  // for each part: why it cannot be used
};

bool CudaLinalg::available(LinalgPart part, std::string* why) {
  const std::lock_guard lock(mutex_);
  std::string& missing = missing_[static_cast<size_t>(part)];
  if (!missing.empty()) {
    *why = missing;
    return false;
  }
  try {
    const Context::Scope scope(context_);
    blas();
    if (part != LinalgPart::kProducts) solver();
    if (part != LinalgPart::kEigenvalues || solver().has_geev()) return true;
    *why = missing = "this cuSOLVER has no cusolverDnXgeev (that of CUDA 12.6 has)";
    return false;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotImplemented) throw;
    *why = missing = error.message();
    return false;
  }
}

void CudaLinalg::gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b,
                      const MatrixView& c, int64_t batch, int64_t a_step, int64_t b_step,
                      int64_t c_step) {
  if (c.rows == 0 || c.cols == 0 || batch == 0) return;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  blas().gemm(dtype, a, b, c, batch, a_step, b_step, c_step);
  ++backend_.counters.library_calls;
}

void CudaLinalg::dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y,
                     int64_t y_step, bool conjugate, void* result) {
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  if (n == 0) return backend_.fill_zero(result, item_size(dtype));
  blas().dot(dtype, n, x, x_step, y, y_step, conjugate, result);
  ++backend_.counters.library_calls;
}

void** pointers(const Ref<Buffer>& buffer) { return static_cast<void**>(buffer->data()); }

// A singular matrix's solution is not used: `info` is checked once, after all of them.
void CudaLinalg::solve(DType dtype, int64_t n, int64_t nrhs, void* a, void* b, int64_t batch,
                       int* info) {
  if (n == 0 || batch == 0) return;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const bool together = at_once(n, batch);
  const Ref<Buffer> pivots = backend_.allocate((together ? batch : 1) * n * sizeof(int));
  const Ref<Buffer> infos = backend_.allocate(2 * batch * sizeof(int));
  if (together) {
    const Ref<Buffer> left = addresses(a, n * n, dtype, batch);
    blas().getrf(dtype, as_int(n), pointers(left), ints(pivots), ints(infos), as_int(batch));
    if (nrhs > 0) {
      const Ref<Buffer> right = addresses(b, n * nrhs, dtype, batch);
      blas().getrs(dtype, as_int(n), as_int(nrhs), pointers(left), ints(pivots), pointers(right),
                   as_int(batch));
    }
    ++backend_.counters.library_calls;
    return backend_.download(info, infos->data(), batch * sizeof(int));
  }
  for (int64_t i = 0; i < batch; ++i) {
    poll_interrupt();
    void* left = matrix(a, i, n * n, dtype);
    void* right = matrix(b, i, n * nrhs, dtype);
    solver().getrf(dtype, as_int(n), as_int(n), left, ints(pivots), ints(infos) + i);
    if (nrhs > 0) {
      solver().getrs(dtype, as_int(n), as_int(nrhs), left, ints(pivots), right,
                     ints(infos) + batch + i);
    }
    ++backend_.counters.library_calls;
  }
  backend_.download(info, infos->data(), batch * sizeof(int));
  if (nrhs > 0) need_done(backend_, *infos, batch, batch);
}

void CudaLinalg::inverse(DType dtype, int64_t n, const void* a, void* inverse, int64_t batch,
                         int* info) {
  if (n == 0 || batch == 0) return;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const Ref<Buffer> infos = backend_.allocate(batch * sizeof(int));
  const Ref<Buffer> from = addresses(a, n * n, dtype, batch);
  const Ref<Buffer> to = addresses(inverse, n * n, dtype, batch);
  blas().matinv(dtype, as_int(n), pointers(from), pointers(to), ints(infos), as_int(batch));
  ++backend_.counters.library_calls;
  backend_.download(info, infos->data(), batch * sizeof(int));
}

void CudaLinalg::lu(DType dtype, int64_t n, void* a, int32_t* pivots, int64_t batch, int* info) {
  if (n == 0 || batch == 0) return;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  if (at_once(n, batch)) {
    const Ref<Buffer> all = addresses(a, n * n, dtype, batch);
    blas().getrf(dtype, as_int(n), pointers(all), pivots, info, as_int(batch));
    ++backend_.counters.library_calls;
    return;
  }
  for (int64_t i = 0; i < batch; ++i) {
    poll_interrupt();
    void* const each = matrix(a, i, n * n, dtype);
    solver().getrf(dtype, as_int(n), as_int(n), each, pivots + i * n, info + i);
    ++backend_.counters.library_calls;
  }
}

void CudaLinalg::cholesky(DType dtype, int64_t n, bool upper, void* a, int64_t batch, int* info) {
  if (n == 0 || batch == 0) return;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const Ref<Buffer> infos = backend_.allocate(batch * sizeof(int));
  if (at_once(n, batch)) {
    const Ref<Buffer> all = addresses(a, n * n, dtype, batch);
    solver().potrf_batched(dtype, upper, as_int(n), pointers(all), ints(infos), as_int(batch));
    ++backend_.counters.library_calls;
  } else {
    for (int64_t i = 0; i < batch; ++i) {
      poll_interrupt();
      solver().potrf(dtype, upper, as_int(n), matrix(a, i, n * n, dtype), ints(infos) + i);
      ++backend_.counters.library_calls;
    }
  }
  backend_.download(info, infos->data(), batch * sizeof(int));
}

void CudaLinalg::qr(DType dtype, int64_t m, int64_t n, int64_t k, void* a, void* r, int64_t batch) {
  if (m == 0 || n == 0 || batch == 0) return;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const QrStack stack{dtype, m, n, k, batch};
  const Ref<Buffer> tau = backend_.allocate(batch * stack.reflectors() * item_size(dtype));
  if (batch > 1 && std::max(m, n) <= kQrAtOnce) return qr_at_once(stack, a, r, tau->data());
  const Ref<Buffer> infos = backend_.allocate(2 * batch * sizeof(int));
  const auto factors = [&](int64_t i) { return matrix(tau->data(), i, stack.reflectors(), dtype); };
  for (int64_t i = 0; i < batch; ++i) {
    poll_interrupt();
    solver().geqrf(dtype, as_int(m), as_int(n), matrix(a, i, stack.step(), dtype), factors(i),
                   ints(infos) + i);
    ++backend_.counters.library_calls;
  }
  copy_upper(backend_, stack, a, r);
  for (int64_t i = 0; i < batch; ++i) {
    poll_interrupt();
    solver().orgqr(dtype, as_int(m), as_int(k), as_int(stack.reflectors()),
                   matrix(a, i, stack.step(), dtype), factors(i), ints(infos) + batch + i);
    ++backend_.counters.library_calls;
  }
  need_done(backend_, *infos, 0, 2 * batch);
}

void CudaLinalg::qr_at_once(const QrStack& stack, void* a, void* r, void* tau) {
  const auto [dtype, m, n, k, batch] = stack;
  const int count = as_int(batch);
  const Ref<Buffer> matrices = addresses(a, stack.step(), dtype, batch);
  const Ref<Buffer> factors = addresses(tau, stack.reflectors(), dtype, batch);
  blas().geqrf(dtype, as_int(m), as_int(n), pointers(matrices), pointers(factors), count);
  copy_upper(backend_, stack, a, r);
  StackRoutines routines;
  routines.multiply = [&](const ConstMatrixView& left, int64_t left_step,
                          const ConstMatrixView& right, int64_t right_step,
                          const MatrixView& product, int64_t step) {
    blas().gemm(stack.dtype, left, right, product, stack.batch, left_step, right_step, step);
    ++backend_.counters.library_calls;
  };
  routines.solve_upper = [&](int64_t order, int64_t columns, void* u, void* b) {
    const Ref<Buffer> left = addresses(u, order * order, stack.dtype, stack.batch);
    const Ref<Buffer> right = addresses(b, order * columns, stack.dtype, stack.batch);
    blas().solve_upper(stack.dtype, as_int(order), as_int(columns), pointers(left), pointers(right),
                       count);
    ++backend_.counters.library_calls;
  };
  form_q(backend_, stack, routines, a, tau);
  ++backend_.counters.library_calls;
}

void CudaLinalg::reflectors(DType dtype, int64_t m, int64_t n, void* a, void* tau, int64_t batch) {
  if (m == 0 || n == 0 || batch == 0) return;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const int64_t least = std::min(m, n);
  if (batch > 1 && std::max(m, n) <= kQrAtOnce) {
    const Ref<Buffer> matrices = addresses(a, m * n, dtype, batch);
    const Ref<Buffer> factors = addresses(tau, least, dtype, batch);
    blas().geqrf(dtype, as_int(m), as_int(n), pointers(matrices), pointers(factors), as_int(batch));
    ++backend_.counters.library_calls;
    return;
  }
  const Ref<Buffer> infos = backend_.allocate(batch * sizeof(int));
  for (int64_t i = 0; i < batch; ++i) {
    poll_interrupt();
    solver().geqrf(dtype, as_int(m), as_int(n), matrix(a, i, m * n, dtype),
                   matrix(tau, i, least, dtype), ints(infos) + i);
    ++backend_.counters.library_calls;
  }
  need_done(backend_, *infos, 0, batch);
}

void CudaLinalg::copy_matrices(const Plan& plan, const void* from, void* to) {
  backend_.prepare(plan, true)->run({{from}, {}, {to}}, nullptr);
}

// One-sided Jacobi: at the sizes that scripts use it is faster here than the QR iteration.
void CudaLinalg::svd(DType dtype, int64_t m, int64_t n, bool full, void* a, void* s, void* u,
                     void* vt, int64_t batch, int* info) {
  const int64_t least = std::min(m, n);
  if (least == 0 || batch == 0) return;
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const bool vectors = u != nullptr;
  const bool together = batch > 1 && std::max(m, n) <= Cusolver::kBatchedSvd;
  const int64_t u_cols = full ? m : least, v_cols = full ? n : least;
  // The columns that the routine writes: all, where it does all matrices at once.
  const int64_t own_u_cols = together ? m : u_cols, own_v_cols = together ? n : v_cols;
  const int64_t kept = vectors || together ? batch : 1;
  const Ref<Buffer> infos = backend_.allocate(batch * sizeof(int));
  const Ref<Buffer> v = backend_.allocate(kept * n * own_v_cols * item_size(dtype));
  const bool u_in_place = vectors && own_u_cols == u_cols;
  const Ref<Buffer> own_u =
      u_in_place ? nullptr : backend_.allocate(kept * m * own_u_cols * item_size(dtype));
  void* const all_u = u_in_place ? u : own_u->data();
  if (together) {
    solver().gesvdj_batched(dtype, vectors, as_int(m), as_int(n), a, s, all_u, v->data(),
                            ints(infos), as_int(batch));
    ++backend_.counters.library_calls;
  }
  for (int64_t i = 0; i < batch && !together; ++i) {
    poll_interrupt();
    const int64_t place = vectors ? i : 0;
    solver().gesvdj(dtype, vectors, !full, as_int(m), as_int(n), matrix(a, i, m * n, dtype),
                    matrix(s, i, least, real_type(dtype)), matrix(all_u, place, m * u_cols, dtype),
                    matrix(v->data(), place, n * v_cols, dtype), ints(infos) + i);
    ++backend_.counters.library_calls;
  }
  if (vectors) {
    copy_matrices(
        copy_plan(dtype, batch, v_cols, n, {n * own_v_cols, n, 1}, {v_cols * n, 1, v_cols}, true),
        v->data(), vt);
    if (!u_in_place) {
      copy_matrices(
          copy_plan(dtype, batch, m, u_cols, {m * own_u_cols, 1, m}, {m * u_cols, 1, m}, false),
          all_u, u);
    }
  }
  backend_.download(info, infos->data(), batch * sizeof(int));
}

void CudaLinalg::eigh(DType dtype, int64_t n, bool upper, bool vectors, void* a, void* w,
                      int64_t batch, int* info) {
  constexpr int64_t kMostJacobi = 32;  // more is faster by the other way, where there is one
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const Ref<Buffer> infos = backend_.allocate(batch * sizeof(int));
  if (batch > 1 && n <= kMostJacobi) {
    solver().syevj_batched(dtype, vectors, upper, as_int(n), a, w, ints(infos), as_int(batch));
    ++backend_.counters.library_calls;
  } else if (at_once(n, batch) && solver().has_syev_batched()) {
    solver().syev_batched(dtype, vectors, upper, as_int(n), a, w, ints(infos), as_int(batch));
    ++backend_.counters.library_calls;
  } else {
    for (int64_t i = 0; i < batch; ++i) {
      poll_interrupt();
      solver().syevd(dtype, vectors, upper, as_int(n), matrix(a, i, n * n, dtype),
                     matrix(w, i, n, real_type(dtype)), ints(infos) + i);
      ++backend_.counters.library_calls;
    }
  }
  backend_.download(info, infos->data(), batch * sizeof(int));
}

void CudaLinalg::eig(DType dtype, int64_t n, void* a, void* w, void* v, int64_t batch, int* info) {
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  const Ref<Buffer> infos = backend_.allocate(batch * sizeof(int));
  for (int64_t i = 0; i < batch; ++i) {
    poll_interrupt();
    solver().geev(dtype, as_int(n), matrix(a, i, n * n, dtype),
                  matrix(w, i, n, complex_type(dtype)), v ? matrix(v, i, n * n, dtype) : nullptr,
                  ints(infos) + i);
    ++backend_.counters.library_calls;
  }
  backend_.download(info, infos->data(), batch * sizeof(int));
}

}  // namespace

std::unique_ptr<Linalg> make_cuda_linalg(Context& context, Backend& backend) {
  return std::make_unique<CudaLinalg>(context, backend);
}

}  // namespace gpy::rt::cuda
