// Scans: one element after another along the last dimension, as NumPy's accumulate; the threads
// share the other dimensions.

#include "runtime/cpu/run.h"
#include "runtime/ops/reduction_loops.h"
#include "runtime/tiles/rows.h"

namespace gpy::rt {
namespace {

class ScanRun final : public LoopRun {
 public:
  ScanRun(ThreadPool& threads, const Plan& plan, int64_t tile)
      : threads_(threads),
        plan_(plan),
        scan_(*plan.reduction),
        tiles_(reduction_tiles(reductions()[scan_.reduction], scan_.loop)),
        out_size_(item_size(scan_.dtype)),
        last_(plan.extents.size() - 1) {
    by_columns_ = prefers_columns();
    if (by_columns_) {
      for (int axis = 0; axis < last_ - 1; ++axis) order_.push_back(axis);
      order_.push_back(last_);
      order_.push_back(last_ - 1);
    }
    program_.prepare(plan, order_, true, tile);
    length_ = plan.extents[last_];
    out_strides_.assign(scan_.strides.begin(), scan_.strides.end());
    if (by_columns_) std::swap(out_strides_[last_], out_strides_[last_ - 1]);
  }

  void run(const Bindings& bindings, std::span<int> flags) override {
    program_.bind(bindings);
    flags_ = flags;
    out_ = static_cast<std::byte*>(bindings.outputs.back());
    if (program_.count() == 0) return;
    const int64_t columns = by_columns_ ? program_.inner() : 1;
    const int64_t strip = std::min(columns, program_.max_tile());
    const int64_t strips = (columns + strip - 1) / strip;
    const int64_t items = program_.count() / length_ / columns * strips;
    run_pieces(threads_, program_, items, length_ * strip, flags_,
               [&](TileRunner& runner, int64_t item) {
                 const int64_t from = item % strips * strip;
                 const int64_t start = item / strips * length_ * columns + from;
                 if (!by_columns_) return scan_row(runner, start);
                 scan_strip(runner, start, std::min(strip, columns - from));
               });
  }

 private:
  void scan_row(TileRunner& runner, int64_t start) {
    alignas(16) std::byte accumulator[32];
    const int64_t tile = program_.max_tile();
    std::vector<std::byte> room(std::min(tile, length_) * out_size_);
    for (int64_t at = 0; at < length_; at += tile) {
      poll_interrupt();
      const int64_t count = std::min(tile, length_ - at);
      runner.run(start + at, count);
      void* to = place(start + at, count);
      void* results = to ? to : room.data();
      runner.with_events(plan_.ops.size(), tiles_.quiet, [&] {
        tiles_.scan(accumulator, at == 0, runner.value(scan_.value), results, count);
      });
      if (!to) store(start + at, results, count);
    }
  }

  // Scans a strip of columns, whose elements are `columns` apart in the range.
  void scan_strip(TileRunner& runner, int64_t start, int64_t width) {
    std::vector<std::byte> accumulators(width * tiles_.size), room(width * out_size_);
    for (int64_t row = 0; row < length_; ++row) {
      if (row % 64 == 0) poll_interrupt();
      const int64_t at = start + row * program_.inner();
      runner.run(at, width);
      void* to = place(at, width);
      void* results = to ? to : room.data();
      runner.with_events(plan_.ops.size(), tiles_.quiet, [&] {
        tiles_.scan_columns(accumulators.data(), row == 0, runner.value(scan_.value), results,
                            width);
      });
      if (!to) store(at, results, width);
    }
  }

  // The address of results that lie side by side, else null: ranges stay in a row of the nest.
  void* place(int64_t start, int64_t count) const {
    if (out_strides_.back() != 1 && count > 1) return nullptr;
    Coordinates at;
    program_.locate(start, at);
    int64_t offset = 0;
    for (int axis = 0; axis <= last_; ++axis) offset += at.index[axis] * out_strides_[axis];
    return out_ + offset * out_size_;
  }

  void store(int64_t start, const void* results, int64_t count) const {
    std::byte* to = static_cast<std::byte*>(place(start, 1));
    with_word(static_cast<int>(out_size_), [&](auto word) {
      using Word = decltype(word);
      store_row(reinterpret_cast<Word*>(to), out_strides_.back(), static_cast<const Word*>(results),
                count);
    });
  }

  bool prefers_columns() const {
    if (last_ < 1) return false;
    int64_t for_rows = 0, for_columns = 0;
    for (const PlanInput& input : plan_.inputs) {
      if (input.kind != PlanInput::Kind::kBuffer) continue;
      for_rows += input.strides[last_] == 1;
      for_columns += input.strides[last_ - 1] == 1;
    }
    return for_columns > for_rows && plan_.extents[last_ - 1] >= 4;
  }

  ThreadPool& threads_;
  const Plan& plan_;
  const PlanReduction& scan_;
  const ReductionTiles& tiles_;
  std::span<int> flags_;  // of the run in progress
  std::byte* out_ = nullptr;
  int64_t out_size_;
  int last_;
  int64_t length_ = 0;
  bool by_columns_ = false;
  std::vector<int> order_;
  std::vector<int64_t> out_strides_;
  TileProgram program_;
};

}  // namespace

std::unique_ptr<LoopRun> make_scan_run(ThreadPool& threads, const Plan& plan, int64_t tile) {
  return std::make_unique<ScanRun>(threads, plan, tile);
}

}  // namespace gpy::rt
