#include "runtime/linalg/host_fallback.h"

#include <algorithm>
#include <initializer_list>

namespace gpy::rt {
namespace {

// The bytes between the first and the last of a device's elements, on the host.
class HostCopy {
 public:
  HostCopy(Backend& device, Backend& host, const void* first, int64_t bytes)
      : device_(device), bytes_(static_cast<size_t>(bytes)) {
    if (bytes_ == 0) return;
    buffer_ = host.allocate(bytes_);
    device.download(buffer_->data(), first, bytes_);
  }

  void* data() const { return buffer_ ? buffer_->data() : nullptr; }
  void send_back(void* first) {
    if (buffer_) device_.upload(first, buffer_->data(), bytes_);
  }

 private:
  Backend& device_;
  size_t bytes_;
  Ref<Buffer> buffer_;
};

// The range of elements along axes (extent, step)..., in elements from the one at index 0.
struct Reach {
  struct Axis {
    int64_t extent, step;
  };
  explicit Reach(std::initializer_list<Axis> axes) {
    for (const Axis& axis : axes) {
      const int64_t last = (axis.extent - 1) * axis.step;
      (last < 0 ? low : high) += last;
    }
  }
  int64_t count() const { return high - low + 1; }

  int64_t low = 0, high = 0;
};

// A stack of matrices, `step` elements apart.
class HostMatrix {
 public:
  HostMatrix(Backend& device, Backend& host, DType dtype, const ConstMatrixView& of, int64_t batch,
             int64_t step)
      : HostMatrix(device, host, item_size(dtype), of,
                   Reach({{of.rows, of.row_stride}, {of.cols, of.col_stride}, {batch, step}})) {}

  const MatrixView& view() const { return view_; }
  // `to` is the view that this was copied from.
  void send_back(const MatrixView& to) { copy_.send_back(static_cast<char*>(to.data) + low_); }

 private:
  HostMatrix(Backend& device, Backend& host, int64_t item, const ConstMatrixView& of,
             const Reach& reach)
      : low_(reach.low * item),
        copy_(device, host, static_cast<const char*>(of.data) + low_, reach.count() * item),
        view_{static_cast<char*>(copy_.data()) - low_, of.rows, of.cols, of.row_stride,
              of.col_stride} {}

  int64_t low_;  // bytes from element 0 to the first in memory
  HostCopy copy_;
  MatrixView view_;
};

class HostFallback final : public Linalg {
 public:
  HostFallback(Backend& device, Backend& host)
      : device_(device), host_(host), linalg_(host.linalg()) {}

  bool available(LinalgPart part, std::string* why) override {
    return linalg_.available(part, why);
  }
  bool supports_gemm(DType dtype) override { return linalg_.supports_gemm(dtype); }

  void gemm(DType dtype, const ConstMatrixView& a, const ConstMatrixView& b, const MatrixView& c,
            int64_t batch, int64_t a_step, int64_t b_step, int64_t c_step) override {
    if (c.rows == 0 || c.cols == 0 || a.cols == 0 || batch == 0) return;
    const HostMatrix left(device_, host_, dtype, a, batch, a_step);
    const HostMatrix right(device_, host_, dtype, b, batch, b_step);
    HostMatrix result(device_, host_, dtype, c, batch, c_step);
    linalg_.gemm(dtype, left.view(), right.view(), result.view(), batch, a_step, b_step, c_step);
    result.send_back(c);
  }

  void dot(DType dtype, int64_t n, const void* x, int64_t x_step, const void* y, int64_t y_step,
           bool conjugate, void* result) override {
    if (n == 0) return device_.fill_zero(result, item_size(dtype));
    const ConstMatrixView first{x, n, 1, x_step, 1};
    const ConstMatrixView second{y, n, 1, y_step, 1};
    const HostMatrix left(device_, host_, dtype, first, 1, 0);
    const HostMatrix right(device_, host_, dtype, second, 1, 0);
    HostCopy sum(device_, host_, result, item_size(dtype));
    linalg_.dot(dtype, n, left.view().data, x_step, right.view().data, y_step, conjugate,
                sum.data());
    sum.send_back(result);
  }

  void solve(DType dtype, int64_t n, int64_t nrhs, void* a, void* b, int64_t batch,
             int* info) override {
    HostCopy matrix = copy_of(a, dtype, batch * n * n);
    HostCopy right = copy_of(b, dtype, batch * n * nrhs);
    linalg_.solve(dtype, n, nrhs, matrix.data(), right.data(), batch, info);
    right.send_back(b);
  }

  void lu(DType dtype, int64_t n, void* a, int32_t* pivots, int64_t batch, int32_t* info) override {
    HostCopy matrix = copy_of(a, dtype, batch * n * n);
    HostCopy rows = copy_of(pivots, DType::kInt32, batch * n);
    HostCopy infos = copy_of(info, DType::kInt32, batch);
    linalg_.lu(dtype, n, matrix.data(), static_cast<int32_t*>(rows.data()), batch,
               static_cast<int32_t*>(infos.data()));
    matrix.send_back(a);
    rows.send_back(pivots);
    infos.send_back(info);
  }

  void cholesky(DType dtype, int64_t n, bool upper, void* a, int64_t batch, int* info) override {
    HostCopy matrix = copy_of(a, dtype, batch * n * n);
    linalg_.cholesky(dtype, n, upper, matrix.data(), batch, info);
    matrix.send_back(a);
  }

  void qr(DType dtype, int64_t m, int64_t n, int64_t k, void* a, void* r, int64_t batch) override {
    HostCopy matrix = copy_of(a, dtype, batch * m * std::max(n, k));
    HostCopy triangle = copy_of(r, dtype, batch * k * n);
    linalg_.qr(dtype, m, n, k, matrix.data(), triangle.data(), batch);
    matrix.send_back(a);
    triangle.send_back(r);
  }

  void reflectors(DType dtype, int64_t m, int64_t n, void* a, void* tau, int64_t batch) override {
    HostCopy matrix = copy_of(a, dtype, batch * m * n);
    HostCopy factors = copy_of(tau, dtype, batch * std::min(m, n));
    linalg_.reflectors(dtype, m, n, matrix.data(), factors.data(), batch);
    matrix.send_back(a);
    factors.send_back(tau);
  }

  void svd(DType dtype, int64_t m, int64_t n, bool full, void* a, void* s, void* u, void* vt,
           int64_t batch, int* info) override {
    const int64_t least = std::min(m, n);
    HostCopy matrix = copy_of(a, dtype, batch * m * n);
    HostCopy values = copy_of(s, real_type(dtype), batch * least);
    HostCopy left = copy_of(u, dtype, u ? batch * m * (full ? m : least) : 0);
    HostCopy right = copy_of(vt, dtype, vt ? batch * (full ? n : least) * n : 0);
    linalg_.svd(dtype, m, n, full, matrix.data(), values.data(), left.data(), right.data(), batch,
                info);
    values.send_back(s);
    left.send_back(u);
    right.send_back(vt);
  }

  void eigh(DType dtype, int64_t n, bool upper, bool vectors, void* a, void* w, int64_t batch,
            int* info) override {
    HostCopy matrix = copy_of(a, dtype, batch * n * n);
    HostCopy values = copy_of(w, real_type(dtype), batch * n);
    linalg_.eigh(dtype, n, upper, vectors, matrix.data(), values.data(), batch, info);
    values.send_back(w);
    if (vectors) matrix.send_back(a);
  }

  void eig(DType dtype, int64_t n, void* a, void* w, void* v, int64_t batch, int* info) override {
    HostCopy matrix = copy_of(a, dtype, batch * n * n);
    HostCopy values = copy_of(w, complex_type(dtype), batch * n);
    HostCopy vectors = copy_of(v, dtype, v ? batch * n * n : 0);
    linalg_.eig(dtype, n, matrix.data(), values.data(), vectors.data(), batch, info);
    values.send_back(w);
    vectors.send_back(v);
  }

 private:
  HostCopy copy_of(const void* first, DType dtype, int64_t elements) {
    return {device_, host_, first, elements * item_size(dtype)};
  }

  Backend &device_, &host_;
  Linalg& linalg_;
};

}  // namespace

std::unique_ptr<Linalg> make_host_fallback(Backend& device, Backend& host) {
  return std::make_unique<HostFallback>(device, host);
}

}  // namespace gpy::rt
