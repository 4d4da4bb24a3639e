#include "runtime/cpu/fft/host_fft.h"

#include <algorithm>
#include <bit>

#include "runtime/core/instruction_set.h"
#include "runtime/core/interrupt.h"
#include "runtime/core/layout.h"
#include "runtime/cpu/fft/lines.h"

namespace gpy::rt {
namespace {

// Points times log2 of the points of a line that are worth a second thread, and those between two
// polls for interrupts.
constexpr int64_t kPieceWork = 128 * 1024;
constexpr int64_t kPolledWork = 64 << 20;
// Lines that one call should have at least: so many are transformed at once in vectors.
constexpr int64_t kBatch = 8;

RunLines* run_lines() {
  return instruction_set() == InstructionSet::kBase ? run_lines_base : run_lines_avx2;
}

int64_t work_of_line(int64_t points) {
  return points * std::bit_width(static_cast<uint64_t>(points));
}

class HostFft final : public Fft {
 public:
  explicit HostFft(ThreadPool& threads) : threads_(threads) {}

  bool scales() const override { return true; }
  bool takes_half_along_many(FftKind) const override { return false; }
  bool takes(const FftWork& work) const override {
    return work.kind == FftKind::kComplex || work.axes.size() == 1;
  }

  void run(const FftWork& work, const void* in, void* out) override {
    for (size_t i = 0; i < work.axes.size(); ++i) {
      const bool first = i == 0;
      run_axis(work, work.axes[i], first ? in : out, first ? work.in_strides : work.out_strides,
               out, first ? work.factor : 1);
    }
  }

 private:
  // The lines are shared along the longest of the other axes.
  void run_axis(const FftWork& work, int axis, const void* in, const Dims& in_strides, void* out,
                double factor) {
    int along = axis == 0 ? 1 : 0;
    for (int i = 0; i < work.shape.size(); ++i) {
      if (i != axis && work.shape[i] > work.shape[along]) along = i;
    }
    const auto run_part = [&](int64_t from, int64_t count) {
      Dims shape = work.shape;
      const bool shared = along < shape.size();
      if (shared) shape[along] = count;
      const int64_t in_offset = shared ? from * in_strides[along] : 0;
      const int64_t out_offset = shared ? from * work.out_strides[along] : 0;
      run_lines()(
          {work.kind, work.dtype, axis, work.forward, factor, shape, in_strides, work.out_strides},
          static_cast<const std::byte*>(in) + in_offset, static_cast<std::byte*>(out) + out_offset);
    };
    if (along >= work.shape.size()) return run_part(0, 1);
    const int64_t lines = work.shape[along];
    const int64_t each =
        std::max<int64_t>(element_count(work.shape) / lines / work.shape[axis], 1) *
        work_of_line(work.shape[axis]);
    const int64_t polled = std::max<int64_t>(kPolledWork / each, 1);
    threads_.run(lines, std::max(kPieceWork / each, kBatch), [&](int64_t begin, int64_t end) {
      for (int64_t from = begin; from < end; from += polled) {
        poll_interrupt();
        run_part(from, std::min(polled, end - from));
      }
    });
  }

  ThreadPool& threads_;
};

}  // namespace

std::unique_ptr<Fft> make_host_fft(ThreadPool& threads) {
  return std::make_unique<HostFft>(threads);
}

}  // namespace gpy::rt
