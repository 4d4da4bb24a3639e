#include "runtime/cuda/cuda_fft.h"

#include <algorithm>
#include <list>
#include <mutex>

#include "runtime/core/process.h"
#include "runtime/cuda/cufft.h"

namespace gpy::rt::cuda {
namespace {

cufftType type_of(const FftWork& work) {
  const bool single = work.dtype == DType::kFloat32;
  switch (work.kind) {
    case FftKind::kComplex: return single ? CUFFT_C2C : CUFFT_Z2Z;
    case FftKind::kRealToHalf: return single ? CUFFT_R2C : CUFFT_D2Z;
    default: return single ? CUFFT_C2R : CUFFT_Z2D;
  }
}

// The extents before, along and after the axes of a work, which follow one another.
struct Extents {
  explicit Extents(const FftWork& work) {
    for (int i = 0; i < work.shape.size(); ++i) {
      int64_t& part = i < work.axes.front() ? before : i > work.axes.back() ? after : along;
      part *= work.shape[i];
    }
  }
  int64_t before = 1, along = 1, after = 1;
};

bool is_in_order(const std::vector<int>& axes) {
  for (size_t i = 1; i < axes.size(); ++i) {
    if (axes[i] != axes[i - 1] + 1) return false;
  }
  return true;
}

FftShape shape_of(const FftWork& work, const Extents& extents) {
  FftShape shape{.type = type_of(work), .rank = static_cast<int>(work.axes.size())};
  for (int i = 0; i < shape.rank; ++i) shape.points[i] = work.shape[work.axes[i]];
  shape.interleaved = extents.after > 1;
  shape.batch = shape.interleaved ? extents.after : extents.before;
  return shape;
}

class CudaFft final : public Fft {
 public:
  CudaFft(Context& context, Backend& backend)
      : context_(context), backend_(backend), library_(context) {}

  bool scales() const override { return false; }
  // From half to real cuFFT wants all of a real array's symmetry, which NumPy does not.
  bool takes_half_along_many(FftKind kind) const override { return kind == FftKind::kRealToHalf; }
  bool takes(const FftWork& work) const override {
    if (!work.dense || work.axes.size() > kMostAxes || !is_in_order(work.axes)) return false;
    const Extents extents(work);
    switch (work.kind) {
      case FftKind::kComplex: return extents.after == 1 || is_interleaved(work, extents);
      case FftKind::kRealToHalf: return extents.after == 1;
      default: return extents.after == 1 && work.axes.size() == 1;
    }
  }

  void run(const FftWork& work, const void* in, void* out) override {
    const std::lock_guard lock(mutex_);
    const Context::Scope scope(context_);
    run_by(*plan_of(shape_of(work, Extents(work))), work, in, out);
  }
  // By its own plan, whichever are kept: none is made while a stream captures.
  std::function<void()> as_part(const FftWork& work, const void* in, void* out) override {
    const std::lock_guard lock(mutex_);
    const Context::Scope scope(context_);
    return [this, plan = plan_of(shape_of(work, Extents(work))), work, in, out] {
      const std::lock_guard running(mutex_);
      const Context::Scope current(context_);
      run_by(*plan, work, in, out);
    };
  }

 private:
  // What is taken goes back to the pool at once: its next user runs after this, on the same queue.
  void run_by(FftPlan& plan, const FftWork& work, const void* in, void* out) {
    const Extents extents(work);
    const Ref<Buffer> workspace = backend_.allocate(plan.workspace());
    if (work.kind == FftKind::kHalfToReal) {
      const Ref<Buffer> own = own_half(work, plan.shape(), in);
      return plan.run_over(context_.stream(), workspace->data(), own->data(), out);
    }
    const int64_t calls = plan.shape().interleaved ? extents.before : 1;
    const int64_t step = extents.along * extents.after * 2 * item_size(work.dtype);
    for (int64_t i = 0; i < calls; ++i) {
      plan.run(context_.stream(), workspace->data(), static_cast<const std::byte*>(in) + i * step,
               static_cast<std::byte*>(out) + i * step, work.forward);
    }
  }

  // A copy of the first half of spectra, which cuFFT may overwrite, without the imaginary parts
  // that spectra of real points cannot have: NumPy does not read them.
  Ref<Buffer> own_half(const FftWork& work, const FftShape& shape, const void* in) {
    const auto part = static_cast<size_t>(item_size(work.dtype));
    const auto points = static_cast<size_t>(shape.points[0]);
    const size_t row = (points / 2 + 1) * 2 * part, rows = static_cast<size_t>(shape.batch);
    Ref<Buffer> own = backend_.allocate(row * rows);
    backend_.copy(own->data(), in, row * rows);
    const auto clear = [&](size_t point) {
      const auto first = reinterpret_cast<CUdeviceptr>(own->data()) + (2 * point + 1) * part;
      GPY_CU(context_, cuMemsetD2D8Async(first, row, 0, part, rows, context_.stream()));
    };
    clear(0);
    if (points % 2 == 0) clear(points / 2);
    return own;
  }

  static constexpr size_t kMostPlans = 16;  // as CuPy keeps
  // Transforms that lie interleaved are done so where that is quicker than to bring their axis to
  // the end first: 256 points take 156 us instead of 268, 4096 points 313 instead of 271.
  static bool is_interleaved(const FftWork& work, const Extents& extents) {
    constexpr int64_t kMostCalls = 8, kMostPoints = 512;
    return work.axes.size() == 1 && extents.before <= kMostCalls && extents.along <= kMostPoints;
  }

  // The one that was used last stands first.
  const std::shared_ptr<FftPlan>& plan_of(const FftShape& shape) {
    const auto is_same = [&](const auto& plan) { return plan->shape() == shape; };
    const auto known = std::ranges::find_if(plans_, is_same);
    if (known != plans_.end()) {
      plans_.splice(plans_.begin(), plans_, known);
    } else {
      plans_.push_front(std::make_shared<FftPlan>(library_, context_, shape));
      if (plans_.size() > kMostPlans) drop_last();
    }
    return plans_.front();
  }
  // Its work may still be running on any queue.
  void drop_last() {
    context_.synchronize_all();
    plans_.pop_back();
  }

  Context& context_;
  Backend& backend_;
  const Cufft library_;
  ForkSafe<std::mutex> mutex_;
  std::list<std::shared_ptr<FftPlan>> plans_;
};

}  // namespace

std::unique_ptr<Fft> make_cuda_fft(Context& context, Backend& backend) {
  return std::make_unique<CudaFft>(context, backend);
}

}  // namespace gpy::rt::cuda
