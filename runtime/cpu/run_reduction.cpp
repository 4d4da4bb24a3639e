// Reductions: the elements of the loop nest are evaluated tile by tile and taken in by
// accumulators, in an order that depends on shape and dtype alone (see plan.h).

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "runtime/core/per_thread.h"
#include "runtime/cpu/run.h"
#include "runtime/ops/reduction_loops.h"
#include "runtime/tiles/rows.h"

namespace gpy::rt {
namespace {

// Contiguous input needs no tiles: pieces of this many elements are folded in place.
constexpr int64_t kBarePiece = 32 * 1024;
// The elements of a subtree, or of a chunk in a fold of any order, that are worth a thread.
constexpr int64_t kChunk = 128 * 1024;
constexpr int64_t kSmallestPiece = 128;

// A thread's buffer of values, kept from one run to the next.
struct SideBySide {
  std::vector<std::byte> bytes;
};

class Accumulators {
 public:
  Accumulators(const ReductionTiles& tiles, int64_t count)
      : size_(tiles.size), bytes_(new std::byte[tiles.size * count]) {
    tiles.start(bytes_.get(), count);
  }
  std::byte* operator[](int64_t i) { return bytes_.get() + i * size_; }

 private:
  int size_;
  std::unique_ptr<std::byte[]> bytes_;
};

class ReductionRun final : public LoopRun {
 public:
  ReductionRun(ThreadPool& threads, const Plan& plan, int64_t tile)
      : threads_(threads),
        plan_(plan),
        reduction_(*plan.reduction),
        tiles_(reduction_tiles(reductions()[reduction_.reduction], reduction_.loop)),
        out_size_(item_size(reduction_.dtype)) {
    for (int axis = 0; axis < plan.extents.size(); ++axis) {
      (axis < reduction_.kept ? results_ : length_) *= plan.extents[axis];
    }
    run_length_ = std::max<int64_t>(reduction_.run, 1);
    by_columns_ = prefers_columns();
    if (by_columns_) {
      for (int axis = 0; axis < reduction_.kept - 1; ++axis) order_.push_back(axis);
      for (int axis = reduction_.kept; axis < plan.extents.size(); ++axis) order_.push_back(axis);
      order_.push_back(reduction_.kept - 1);
    }
    program_.prepare(plan, order_, true, tile);
    // Skipped elements would raise no event, and no output depends on them.
    const auto is_quiet = [](const PlanOp& op) {
      return op.kind == PlanOp::Kind::kUfunc && ufuncs()[op.ufunc].quiet;
    };
    stops_ = tiles_.settled && plan.outputs.empty() && std::ranges::all_of(plan.ops, is_quiet);
  }

  void run(const Bindings& bindings, std::span<int> flags) override {
    program_.bind(bindings);
    flags_ = flags;
    out_ = static_cast<std::byte*>(bindings.outputs.back());
    if (results_ == 0) return;
    if (length_ == 0) return write_identities();
    if (by_columns_) return run_columns();
    piece_ = piece_size();
    if (results_ < 4 * threads_.threads() && results_ * length_ >= kParallelWork &&
        tiles_.order != FoldOrder::kInOrder && length_ >= 2 * kChunk) {
      return run_one_by_one();
    }
    run_rows();
  }

 private:
  // The tree's leaves hold up to 128 elements: where tiles are smaller, several make a piece.
  int64_t piece_size() const {
    if (program_.reads_in_place(reduction_.value)) return kBarePiece;
    return program_.max_tile() < kSmallestPiece ? kTile : program_.max_tile();
  }

  // The values of a range: those of one tile, or of several side by side.
  const void* values(TileRunner& runner, int64_t start, int64_t count) const {
    const int64_t tile = program_.max_tile();
    if (count <= tile || program_.reads_in_place(reduction_.value)) {
      runner.run(start, count);
      return runner.value(reduction_.value);
    }
    auto& side_by_side = of_this_thread<SideBySide>().bytes;
    const int64_t item = item_size(plan_.dtype_of(reduction_.value));
    side_by_side.resize(std::max<size_t>(side_by_side.size(), count * item));
    for (int64_t at = 0; at < count; at += tile) {
      const int64_t part = std::min(tile, count - at);
      runner.run(start + at, part);
      std::memcpy(side_by_side.data() + at * item, runner.value(reduction_.value), part * item);
    }
    return side_by_side.data();
  }

  // Columns are read along the innermost kept axis, all of them at once, one reduced element after
  // another: preferred where that order is the tree's and suits the layout in memory.
  bool prefers_columns() const {
    const int kept = reduction_.kept;
    if (kept == 0 || kept == plan_.extents.size() || results_ == 0 || length_ == 0) return false;
    if (tiles_.order == FoldOrder::kPairwise && run_length_ != 1) return false;
    int64_t for_rows = 0, for_columns = 0;
    for (const PlanInput& input : plan_.inputs) {
      if (input.kind != PlanInput::Kind::kBuffer) continue;
      for_rows += stride_cost(input.strides.back());
      for_columns += stride_cost(input.strides[kept - 1]);
    }
    return for_columns < for_rows && plan_.extents[kept - 1] >= 4;
  }
  static int64_t stride_cost(int64_t stride) {
    return stride == 0 ? 0 : stride == 1 || stride == -1 ? 1 : 4;
  }

  // Runs a fold and puts the events that it raises into the report's last entry.
  template <class Fold> void events(TileRunner& runner, Fold&& fold) const {
    runner.with_events(plan_.ops.size(), tiles_.quiet, fold);
  }

  int64_t out_offset(int64_t result) const {
    int64_t offset = 0;
    for (int axis = reduction_.kept - 1; axis >= 0; --axis) {
      offset += result % plan_.extents[axis] * reduction_.strides[axis];
      result /= plan_.extents[axis];
    }
    return offset * out_size_;
  }

  void write(int64_t first, const void* accumulators, int64_t count) const {
    const int64_t last = reduction_.kept ? reduction_.strides[reduction_.kept - 1] : 1;
    if (count > 1 && (reduction_.kept > 1 || last != 1)) {
      for (int64_t i = 0; i < count; ++i) {
        const auto* from = static_cast<const std::byte*>(accumulators) + i * tiles_.size;
        tiles_.finish(from, out_ + out_offset(first + i), 1);
      }
      return;
    }
    tiles_.finish(accumulators, out_ + out_offset(first), count);
  }

  void write_identities() {
    Accumulators nothing(tiles_, 1);
    for (int64_t i = 0; i < results_; ++i) write(i, nothing[0], 1);
  }

  // --- rows: each result's elements lie one after another in the range ---

  void run_rows() {
    const bool in_place = program_.reads_in_place(reduction_.value);
    const int64_t tile = in_place ? kBarePiece : program_.max_tile();
    const int64_t rows = std::max<int64_t>(tile / length_, 1);
    const int64_t items = (results_ + rows - 1) / rows;
    run_pieces(threads_, program_, items, rows * length_, flags_,
               [&](TileRunner& runner, int64_t item) {
                 const int64_t first = item * rows;
                 fold_results(runner, first, std::min(rows, results_ - first));
               });
  }

  void fold_results(TileRunner& runner, int64_t first, int64_t count) {
    Accumulators sums(tiles_, count);
    if (length_ <= piece_) {
      const void* elements = values(runner, first * length_, count * length_);
      events(runner, [&] { tiles_.fold_rows(sums[0], elements, count, length_, run_length_, 0); });
    } else {
      for (int64_t i = 0; i < count; ++i) fold_long(runner, (first + i) * length_, sums[i]);
    }
    write(first, sums[0], count);
  }

  // Folds one result of more elements than a tile holds.
  void fold_long(TileRunner& runner, int64_t start, void* accumulator) {
    if (tiles_.order != FoldOrder::kPairwise) {
      return fold_range(runner, start, 0, length_, length_, accumulator);
    }
    if (run_length_ <= piece_) {
      const int64_t piece = piece_ / run_length_ * run_length_;
      return fold_range(runner, start, 0, length_, piece, accumulator);
    }
    for (int64_t at = 0; at < length_; at += run_length_) {
      alignas(16) std::byte sum[32];
      subtree(runner, start + at, std::min(run_length_, length_ - at), sum);
      tiles_.take_run(accumulator, sum);
    }
  }

  // Folds elements [from, to) of the result that begins at `start`.
  void fold_range(TileRunner& runner, int64_t start, int64_t from, int64_t to, int64_t piece,
                  void* accumulator) {
    piece = std::min(piece, piece_);
    for (int64_t at = from; at < to; at += piece) {
      if (stops_ && tiles_.settled(accumulator)) return;
      poll_interrupt();
      const int64_t count = std::min(piece, to - at);
      const void* elements = values(runner, start + at, count);
      events(runner, [&] { tiles_.fold_rows(accumulator, elements, 1, count, run_length_, at); });
    }
  }

  // The left half in NumPy's pairwise tree, where complex numbers count twice.
  int64_t left_half(int64_t count) const {
    const int64_t parts = is_complex(loop_type()) ? 2 : 1;
    int64_t half = count * parts / 2;
    half -= half % 8;
    return half / parts;
  }
  DType loop_type() const { return reductions()[reduction_.reduction].loops[reduction_.loop].in; }

  void subtree(TileRunner& runner, int64_t start, int64_t count, void* sum) {
    if (count > piece_) {
      alignas(16) std::byte right[32];
      const int64_t half = left_half(count);
      subtree(runner, start, half, sum);
      subtree(runner, start + half, count - half, right);
      events(runner, [&] { tiles_.merge(sum, right, 1); });
      return;
    }
    poll_interrupt();
    const void* elements = values(runner, start, count);
    events(runner, [&] { tiles_.subtree(sum, elements, count); });
  }

  // --- few results of many elements each: the threads share one result after another ---

  void run_one_by_one() {
    for (int64_t i = 0; i < results_; ++i) {
      Accumulators sum(tiles_, 1);
      if (tiles_.order == FoldOrder::kPairwise && run_length_ >= 2 * kChunk) {
        for (int64_t at = 0; at < length_; at += run_length_) {
          share_run(i * length_ + at, std::min(run_length_, length_ - at), sum[0]);
        }
      } else if (tiles_.order == FoldOrder::kAny) {
        share_chunks(i * length_, sum[0]);
      } else {
        run_pieces(threads_, program_, 1, length_, flags_,
                   [&](TileRunner& runner, int64_t) { fold_long(runner, i * length_, sum[0]); });
      }
      write(i, sum[0], 1);
    }
  }

  struct Piece {
    int64_t start, count;
  };
  void cut(int64_t start, int64_t count, std::vector<Piece>& pieces) const {
    if (count <= kChunk) return pieces.push_back({start, count});
    const int64_t half = left_half(count);
    cut(start, half, pieces);
    cut(start + half, count - half, pieces);
  }
  // Joins subtrees in the shape they were cut in; `next` is the first that is not yet joined.
  void join(int64_t count, Accumulators& sums, int64_t& next, void* sum) const {
    if (count <= kChunk) {
      std::memcpy(sum, sums[next++], tiles_.size);
      return;
    }
    alignas(16) std::byte right[32];
    const int64_t half = left_half(count);
    join(half, sums, next, sum);
    join(count - half, sums, next, right);
    tiles_.merge(sum, right, 1);
  }

  void share_run(int64_t start, int64_t count, void* accumulator) {
    std::vector<Piece> pieces;
    cut(start, count, pieces);
    Accumulators sums(tiles_, static_cast<int64_t>(pieces.size()));
    run_pieces(threads_, program_, static_cast<int64_t>(pieces.size()), kChunk, flags_,
               [&](TileRunner& runner, int64_t item) {
                 subtree(runner, pieces[item].start, pieces[item].count, sums[item]);
               });
    alignas(16) std::byte sum[32];
    int64_t next = 0;
    TileRunner runner(program_, flags_.empty() ? nullptr : flags_.data());
    events(runner, [&] {
      join(count, sums, next, sum);
      tiles_.take_run(accumulator, sum);
    });
  }

  // What may be settled early is looked at first, since threads take longer to wake.
  void share_chunks(int64_t start, void* accumulator) {
    const int64_t first = stops_ ? std::min(piece_, length_) : 0;
    if (first > 0) {
      TileRunner runner(program_, flags_.empty() ? nullptr : flags_.data());
      fold_range(runner, start, 0, first, piece_, accumulator);
      if (tiles_.settled(accumulator)) return;
    }
    const int64_t chunks = (length_ - first + kChunk - 1) / kChunk;
    Accumulators sums(tiles_, chunks);
    std::atomic<int64_t> settled = chunks;  // the first chunk known to settle the result
    run_pieces(threads_, program_, chunks, kChunk, flags_, [&](TileRunner& runner, int64_t item) {
      if (item > settled) return;
      const int64_t from = first + item * kChunk, to = std::min(from + kChunk, length_);
      fold_range(runner, start, from, to, piece_, sums[item]);
      if (!stops_ || !tiles_.settled(sums[item])) return;
      for (int64_t known = settled; item < known && !settled.compare_exchange_weak(known, item);) {
      }
    });
    for (int64_t i = 0; i < chunks; ++i) tiles_.merge(accumulator, sums[i], 1);
  }

  // --- columns ---

  void run_columns() {
    const int64_t columns = program_.inner();
    const int64_t outer = results_ / columns;
    // Strips narrow enough for every thread to have one, wide enough for whole cache lines.
    int64_t strip = columns;
    if (columns >= 512) {
      strip = (columns / (outer * 2 * threads_.threads()) + 63) / 64 * 64;
      strip = std::min(std::max<int64_t>(strip, 64), std::max<int64_t>(program_.max_tile(), 64));
    }
    const int64_t strips = (columns + strip - 1) / strip;
    run_pieces(threads_, program_, outer * strips, length_ * strip, flags_,
               [&](TileRunner& runner, int64_t item) {
                 const int64_t from = item % strips * strip;
                 fold_strip(runner, item / strips, from, std::min(strip, columns - from));
               });
  }

  void fold_strip(TileRunner& runner, int64_t outer, int64_t from, int64_t width) {
    const int64_t columns = program_.inner();
    Accumulators sums(tiles_, width);
    const bool in_place = program_.reads_in_place(reduction_.value);
    const int64_t stride = in_place ? columns : width;
    int64_t rows = 1;
    if (in_place) rows = std::max<int64_t>(kBarePiece / width, 64);
    else if (width == columns) rows = std::max<int64_t>(program_.max_tile() / columns, 1);
    for (int64_t row = 0; row < length_; row += rows) {
      if (rows > 1 || row % 64 == 0) poll_interrupt();
      const int64_t count = std::min(rows, length_ - row);
      const int64_t start = (outer * length_ + row) * columns + from;
      const void* elements = values(runner, start, (count - 1) * stride + width);
      events(runner, [&] {
        tiles_.fold_columns(sums[0], elements, count, width, stride, run_length_, row);
      });
    }
    write(outer * columns + from, sums[0], width);
  }

  ThreadPool& threads_;
  const Plan& plan_;
  const PlanReduction& reduction_;
  const ReductionTiles& tiles_;
  std::span<int> flags_;  // of the run in progress
  std::byte* out_ = nullptr;
  int64_t out_size_;
  int64_t results_ = 1;
  int64_t length_ = 1;
  int64_t run_length_ = 1;
  int64_t piece_ = kTile;
  bool stops_ = false;  // once the result is settled
  bool by_columns_ = false;
  std::vector<int> order_;
  TileProgram program_;
};

}  // namespace

std::unique_ptr<LoopRun> make_reduction_run(ThreadPool& threads, const Plan& plan, int64_t tile) {
  return std::make_unique<ReductionRun>(threads, plan, tile);
}

}  // namespace gpy::rt
