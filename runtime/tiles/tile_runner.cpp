#include <immintrin.h>

#include <cstring>
#include <utility>

#include "runtime/core/per_thread.h"
#include "runtime/tiles/aligned_bytes.h"
#include "runtime/tiles/rows.h"
#include "runtime/tiles/tiles.h"

namespace gpy::rt {
namespace {

// A thread's tiles, kept from one run to the next.
struct Room {
  AlignedBytes bytes;
  size_t size = 0;
  std::vector<const void*> pointers;

  std::byte* tiles(size_t wanted) {
    if (wanted > size) {
      bytes.reset();
      size = 0;
      const size_t rounded = (wanted + 4095) / 4096 * 4096;
      bytes = make_aligned_bytes(rounded);
      size = rounded;
    }
    return bytes.get();
  }
};

// Writes first, first + step, ...; four at a time, since each waits for the one before it.
void count_up(int64_t* to, int64_t count, int64_t first, int64_t step) {
  using Pair = int64_t __attribute__((vector_size(16)));
  Pair low = {first, first + step}, high = low + 2 * step;
  int64_t i = 0;
  for (; i + 4 <= count; i += 4, low += 4 * step, high += 4 * step) {
    std::memcpy(to + i, &low, sizeof low);
    std::memcpy(to + i + 2, &high, sizeof high);
  }
  for (int64_t next = low[0]; i < count; ++i, next += step) to[i] = next;
}

constexpr unsigned kEvents = 0x1d;  // MXCSR's invalid, divide, overflow, underflow: as <cfenv>'s
constexpr unsigned kAllEvents = 0x3f;

}  // namespace

// Writing the register is slow, reading it is not.
void clear_events() {
  if (const unsigned now = _mm_getcsr(); now & kEvents) _mm_setcsr(now & ~kAllEvents);
}
int raised_events() { return static_cast<int>(_mm_getcsr() & kEvents); }

TileRunner::TileRunner(const TileProgram& program, int* flags) : program_(program), flags_(flags) {
  Room& room = of_this_thread<Room>();
  room_ = room.tiles(program.slots_ * program.slot_bytes_);
  room.pointers.assign(program.op_base_ + program.plan_->ops.size(), nullptr);
  pointers_ = room.pointers.data();
  point_at_operands();
}

// A periodic operand is copied once, a period longer than a tile, and a tile points into it.
void TileRunner::point_at_operands() {
  const int64_t tile = std::min(program_.staged_, program_.count_);
  for (size_t i = 0; i < program_.operands_.size(); ++i) {
    const Source& operand = program_.operands_[i];
    if (operand.access != Access::kPeriodic) continue;
    start_ = 0;
    length_ = operand.period == 1 ? tile : std::min(tile + operand.period, program_.count_);
    std::fill_n(at_.index, program_.rank(), 0);
    stage(operand, slot(operand.slot));
    pointers_[i] = slot(operand.slot);
  }
}

bool TileRunner::in_one_row() const {
  return at_.index[program_.rank() - 1] + length_ <= program_.inner();
}

int64_t TileRunner::offset(const int64_t* strides) const {
  int64_t sum = 0;
  for (int axis = 0; axis < program_.rank(); ++axis) sum += at_.index[axis] * strides[axis];
  return sum;
}

void TileRunner::run(int64_t start, int64_t length) {
  start_ = start;
  length_ = length;
  program_.locate(start, at_);
  if (program_.rows_fastest_) turn_panels();
  for (size_t i = 0; i < program_.operands_.size(); ++i) {
    const Source& operand = program_.operands_[i];
    if (operand.access == Access::kDirect) {
      pointers_[i] = operand.data + start * operand.size;
    } else if (operand.access == Access::kPeriodic && operand.period > 1) {
      pointers_[i] = slot(operand.slot) + start % operand.period * operand.size;
    }
  }
  for (const TileStep& step : program_.steps_) run_step(step);
  for (const Store& store : program_.stores_) this->store(store);
}

// The operands that run across rows are copied for some rows at a time, so that each cache line of
// them is read once.
void TileRunner::turn_panels() {
  constexpr int kPanelRows = TileProgram::kPanelRows;
  const int across = program_.rank() - 2;
  const int64_t row = at_.index[across] % kPanelRows, inner = program_.inner();
  const int64_t first = start_ - row * inner;
  const bool is_new = std::exchange(panel_start_, first) != first;
  const int64_t rows =
      std::min<int64_t>(kPanelRows, program_.extents_[across] - at_.index[across] + row);
  for (size_t i = 0; i < program_.operands_.size(); ++i) {
    const Source& operand = program_.operands_[i];
    if (operand.access != Access::kAcross) continue;
    pointers_[i] = slot(operand.slot + static_cast<int>(row));
    if (!is_new) continue;
    const int64_t along = operand.strides[across + 1], step = operand.strides[across];
    with_word(operand.size, [&](auto word) {
      using Word = decltype(word);
      const Word* from =
          reinterpret_cast<const Word*>(operand.data) + offset(operand.strides) - row * step;
      Word* to = reinterpret_cast<Word*>(slot(operand.slot));
      load_panel<kPanelRows>(to, program_.slot_bytes_ / sizeof(Word), from, along, step, rows,
                             length_);
    });
  }
}

// The address of a range's values if they lie side by side in memory, else null.
void* TileRunner::place(const Store& store) const {
  if (store.access == Access::kDirect) return store.data + start_ * store.size;
  if (store.access == Access::kRows && in_one_row()) {
    return store.data + offset(store.strides) * store.size;
  }
  return nullptr;
}

void TileRunner::run_step(const TileStep& step) {
  if (step.kind == TileStep::Kind::kStage) {
    const Source& operand = program_.operands_[step.to];
    if (operand.access == Access::kRows && in_one_row()) {
      pointers_[step.to] = operand.data + offset(operand.strides) * operand.size;
      return;
    }
  }
  void* to = step.store >= 0 ? place(program_.stores_[step.store]) : nullptr;
  if (!to) to = slot(step.slot);
  switch (step.kind) {
    case TileStep::Kind::kStage: stage(program_.operands_[step.to], to); break;
    case TileStep::Kind::kCall: call(step, to); break;
    case TileStep::Kind::kGather: gather(step, to); break;
  }
  pointers_[step.to] = to;
}

void TileRunner::call(const TileStep& step, void* to) {
  std::array<const void*, 3> args;
  for (int i = 0; i < 3; ++i) {
    args[i] = step.args[i] == kNoRegister ? nullptr : pointers_[step.args[i]];
  }
  with_events(step.op, step.quiet, [&] {
    if (length_ <= program_.staged_) step.loop(args.data(), to, length_);
    else call_in_pieces(step, args, to);
  });
}

// For a tile that is longer than the numbers staged for it.
void TileRunner::call_in_pieces(const TileStep& step, std::array<const void*, 3> args, void* to) {
  std::array<int64_t, 3> sizes = {};
  for (int i = 0; i < 3; ++i) {
    if (step.args[i] == kNoRegister) continue;
    const Source& operand = program_.operands_[step.args[i]];
    if (operand.access == Access::kDirect) sizes[i] = operand.size;
  }
  const int64_t size = program_.stores_[step.store].size;
  for (int64_t done = 0; done < length_; done += program_.staged_) {
    const int64_t count = std::min(length_ - done, program_.staged_);
    step.loop(args.data(), static_cast<std::byte*>(to) + done * size, count);
    for (int i = 0; i < 3; ++i) args[i] = static_cast<const std::byte*>(args[i]) + count * sizes[i];
  }
}

void TileRunner::stage(const Source& operand, void* to) const {
  const std::span<const int64_t> extents = program_.extents_;
  const int64_t step = operand.strides[program_.rank() - 1];
  if (operand.access == Access::kIota) {
    int64_t* numbers = static_cast<int64_t*>(to);
    for_rows(extents, operand.strides, at_, length_,
             [&](int64_t from, int64_t done, int64_t count) {
               count_up(numbers + done, count, from, step);
             });
    return;
  }
  with_word(operand.size, [&](auto word) {
    using Word = decltype(word);
    const Word* data = reinterpret_cast<const Word*>(operand.data);
    Word* tile = static_cast<Word*>(to);
    for_rows(extents, operand.strides, at_, length_,
             [&](int64_t from, int64_t done, int64_t count) {
               load_row(tile + done, data + from, step, count);
             });
  });
}

void TileRunner::gather(const TileStep& step, void* to) {
  const Source& operand = program_.operands_[step.input];
  const int64_t* index = static_cast<const int64_t*>(pointers_[step.args[0]]);
  const int64_t stride = operand.strides[program_.rank() - 1];
  with_word(operand.size, [&](auto word) {
    using Word = decltype(word);
    const Word* data = reinterpret_cast<const Word*>(operand.data);
    Word* tile = static_cast<Word*>(to);
    for_rows(program_.extents_, operand.strides, at_, length_,
             [&](int64_t from, int64_t done, int64_t count) {
               for (int64_t i = 0; i < count; ++i) {
                 tile[done + i] = data[from + i * stride + index[done + i]];
               }
             });
  });
}

void TileRunner::store(const Store& store) const {
  const void* value = pointers_[store.value];
  if (void* to = place(store)) {
    if (to != value) std::memmove(to, value, length_ * store.size);
    return;
  }
  const int64_t* index =
      store.index == kNoRegister ? nullptr : static_cast<const int64_t*>(pointers_[store.index]);
  const int64_t stride = store.strides[program_.rank() - 1];
  with_word(store.size, [&](auto word) {
    using Word = decltype(word);
    const Word* tile = static_cast<const Word*>(value);
    Word* data = reinterpret_cast<Word*>(store.data);
    for_rows(program_.extents_, store.strides, at_, length_,
             [&](int64_t at, int64_t done, int64_t count) {
               if (!index) return store_row(data + at, stride, tile + done, count);
               for (int64_t i = 0; i < count; ++i) {
                 data[at + i * stride + index[done + i]] = tile[done + i];
               }
             });
  });
}

}  // namespace gpy::rt
