// Preparing a plan: how each operand is read, which tile slot each register lives in.

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "runtime/ops/row_facts.h"
#include "runtime/tiles/tiles.h"

namespace gpy::rt {
namespace {

constexpr int kNever = -1;
constexpr int kAlways = std::numeric_limits<int>::max();
// A row at least this long is worth tiles of its own, for operands contiguous in rows only.
constexpr int64_t kLongRow = 512;
constexpr int64_t kCacheLine = 64;
// The columns of a tile whose output runs across rows: as many cache lines of it stay in the
// first-level cache, also where they are a power of two apart.
constexpr int64_t kStrip = 64;
// The bytes of a program of one step's tile, so that its overhead is small and threads get their
// share, and of the numbers staged for it.
constexpr int64_t kWideBytes = 32 * kTile, kStagedBytes = 8 * kTile;

}  // namespace

static int64_t cost_of(const Plan& plan) {
  int64_t cost = 1;
  for (const PlanOp& op : plan.ops) {
    cost += op.kind == PlanOp::Kind::kUfunc ? facts_of(ufuncs()[op.ufunc]).cost : 1;
  }
  return cost;
}

void TileProgram::prepare(const Plan& plan, std::span<const int> order, bool apart, int64_t tile) {
  plan_ = &plan;
  apart_ = apart;
  tile_ = tile;
  cost_ = cost_of(plan);
  set_extents(order);
  choose_tiles();
  add_operands(order);
  add_stores(order);
  choose_tiles_across();
  find_last_uses();
  add_steps();
  widen_tiles();
}

void TileProgram::bind(const Bindings& bindings) {
  const size_t inputs = bindings.inputs.size();
  for (size_t i = 0; i < operands_.size(); ++i) {
    operands_[i].data = i < inputs ? static_cast<const std::byte*>(bindings.inputs[i])
                                   : bindings.scalars[i - inputs].data();
  }
  for (size_t i = 0; i < stores_.size(); ++i) {
    stores_[i].data = static_cast<std::byte*>(bindings.outputs[i]);
  }
}

void TileProgram::set_extents(std::span<const int> order) {
  const int rank = plan_->extents.size();
  extents_.clear();
  stride_pool_.clear();
  stride_pool_.reserve((plan_->inputs.size() + plan_->scalars.size() + plan_->outputs.size()) *
                       std::max(rank, 1));
  count_ = 1;
  for (int i = 0; i < rank; ++i) extents_.push_back(plan_->extents[order.empty() ? i : order[i]]);
  if (rank == 0) extents_.push_back(1);
  for (int64_t extent : extents_) count_ *= extent;
}

void TileProgram::choose_tiles() {
  rows_fastest_ = false;
  tiles_per_row_ = 0;
  max_tile_ = tile_;
  const int64_t row = inner();
  if (count_ == 0) {
    tile_count_ = 0;
  } else if (rank() > 1 && row >= std::min(kLongRow, tile_)) {
    cut_rows(tile_);
  } else {
    if (rank() > 1) max_tile_ = tile_ / row * row;
    tile_count_ = (count_ + max_tile_ - 1) / max_tile_;
  }
}

// Cuts each row into even parts of at most so many elements.
void TileProgram::cut_rows(int64_t most) {
  tiles_per_row_ = (inner() + most - 1) / most;
  max_tile_ = (inner() + tiles_per_row_ - 1) / tiles_per_row_;
  tile_count_ = count_ / inner() * tiles_per_row_;
}

// True for an operand whose neighbours in memory lie along the second last dimension: each cache
// line of it holds elements of several rows.
bool TileProgram::runs_across(const int64_t* strides, int64_t size) const {
  const int64_t along = std::abs(strides[rank() - 1] * size),
                across = std::abs(strides[rank() - 2] * size);
  return along >= kCacheLine && across != 0 && across < kCacheLine && extents_[rank() - 2] > 1;
}

// Lets tiles go down a strip of columns where an operand or an output runs across. Of an output the
// lines are used up while they are in the first-level cache: the strip is narrow. Panels of
// operands use up their lines at once.
void TileProgram::choose_tiles_across() {
  if (rank() < 2 || plan_->reduction || inner() < kStrip || count_ < 16 * tile_) return;
  bool stores_across = false, loads_across = false;
  for (const Store& store : stores_) {
    if (store.index != kNoRegister) return;
    stores_across |= runs_across(store.strides, store.size);
  }
  for (Source& operand : operands_) {
    if (operand.access != Access::kStaged || !runs_across(operand.strides, operand.size)) continue;
    loads_across = true;
    if (apart_) operand.access = Access::kAcross;  // else it may change before it is used
  }
  if (!stores_across && !loads_across) return;
  rows_fastest_ = true;
  cut_rows(stores_across || !apart_ ? std::min(kStrip, tile_) : tile_);
}

// One step from memory to memory, or a copy, makes nothing that must stay in the cache: longer
// tiles cost less. Numbers are staged as for shorter ones.
void TileProgram::widen_tiles() {
  staged_ = max_tile_;
  const auto is_wide = [](const Source& operand) {
    return operand.access == Access::kDirect ||
           (operand.access == Access::kPeriodic && operand.period == 1);
  };
  if (tile_ != kTile || tiles_per_row_ != 0 || rows_fastest_ || steps_.size() > 1) return;
  const auto is_from_memory_to_memory = [](const TileStep& step) {
    return step.kind == TileStep::Kind::kCall && step.store >= 0;
  };
  if (!std::ranges::all_of(steps_, is_from_memory_to_memory)) return;
  if (stores_.size() != 1 || plan_->reduction) return;
  if (stores_[0].access != Access::kDirect || !std::ranges::all_of(operands_, is_wide)) return;
  const bool all_direct = std::ranges::all_of(
      operands_, [](const Source& operand) { return operand.access == Access::kDirect; });
  if (steps_.empty() && !all_direct) return;  // a number is stored as it was staged
  int widest = stores_[0].size;
  for (const Source& operand : operands_) widest = std::max(widest, operand.size);
  max_tile_ = kWideBytes / widest;
  tile_count_ = (count_ + max_tile_ - 1) / max_tile_;
  slot_bytes_ = kStagedBytes;
  staged_ = all_direct ? max_tile_ : kStagedBytes / widest;
}

void TileProgram::tile(int64_t number, int64_t* start, int64_t* length) const {
  if (tiles_per_row_ == 0) {
    *start = number * max_tile_;
    *length = std::min(max_tile_, count_ - *start);
    return;
  }
  const int64_t rows = count_ / inner();
  const int64_t column = (rows_fastest_ ? number / rows : number % tiles_per_row_) * max_tile_;
  *start = (rows_fastest_ ? number % rows : number / tiles_per_row_) * inner() + column;
  *length = std::min(max_tile_, inner() - column);
}

void TileProgram::locate(int64_t position, Coordinates& at) const {
  for (int axis = rank() - 1; axis > 0; --axis) {
    at.index[axis] = position % extents_[axis];
    position /= extents_[axis];
  }
  at.index[0] = position;
}

const int64_t* TileProgram::keep_strides(std::span<const int64_t> strides,
                                         std::span<const int> order) {
  const size_t first = stride_pool_.size();
  for (size_t i = 0; i < strides.size(); ++i) {
    stride_pool_.push_back(strides[order.empty() ? i : order[i]]);
  }
  if (strides.empty()) stride_pool_.resize(first + rank(), 0);  // scalars, and plans of rank 0
  return stride_pool_.data() + first;
}

TileProgram::Access TileProgram::access_of(const int64_t* strides) const {
  int64_t packed = 1;
  bool contiguous = true;
  for (int axis = rank() - 1; axis >= 0; --axis) {
    if (extents_[axis] != 1 && strides[axis] != packed) contiguous = false;
    packed *= extents_[axis];
  }
  if (contiguous) return Access::kDirect;
  return strides[rank() - 1] == 1 ? Access::kRows : Access::kStaged;
}

// The number of elements after which an operand repeats itself; 0 if it does not.
int64_t TileProgram::period_of(const int64_t* strides) const {
  int first = 0;
  while (first < rank() && (strides[first] == 0 || extents_[first] == 1)) ++first;
  if (first == 0 && rank() > 0) return 0;
  int64_t period = 1;
  for (int axis = first; axis < rank(); ++axis) period *= extents_[axis];
  return period <= tile_ / 2 ? period : 0;
}

void TileProgram::add_operands(std::span<const int> order) {
  operands_.clear();
  for (size_t i = 0; i < plan_->inputs.size(); ++i) {
    const PlanInput& input = plan_->inputs[i];
    Source operand;
    operand.size = static_cast<int>(item_size(input.dtype));
    operand.strides = keep_strides(input.strides, order);
    if (input.kind == PlanInput::Kind::kIota) {
      operand.access = Access::kIota;
    } else if (input.kind == PlanInput::Kind::kBuffer) {
      operand.period = period_of(operand.strides);
      operand.access = operand.period ? Access::kPeriodic : access_of(operand.strides);
    }
    operands_.push_back(operand);
  }
  for (size_t i = 0; i < plan_->scalars.size(); ++i) {
    Source operand;
    operand.access = Access::kPeriodic;
    operand.size = static_cast<int>(item_size(plan_->scalars[i]));
    operand.period = 1;
    operand.strides = keep_strides({}, order);
    operands_.push_back(operand);
  }
  op_base_ = static_cast<Register>(operands_.size());
}

void TileProgram::add_stores(std::span<const int> order) {
  stores_.clear();
  for (size_t i = 0; i < plan_->outputs.size(); ++i) {
    const PlanOutput& output = plan_->outputs[i];
    Store store;
    store.value = output.value;
    store.index = output.index;
    store.size = static_cast<int>(item_size(output.dtype));
    store.strides = keep_strides(output.strides, order);
    store.access = store.index == kNoRegister ? access_of(store.strides) : Access::kStaged;
    stores_.push_back(store);
  }
}

void TileProgram::find_last_uses() {
  last_use_.assign(op_base_ + plan_->ops.size(), kNever);
  for (size_t i = 0; i < plan_->ops.size(); ++i) {
    for (Register arg : plan_->ops[i].args) {
      if (arg != kNoRegister) last_use_[arg] = static_cast<int>(i);
    }
  }
  for (const Store& store : stores_) {
    last_use_[store.value] = kAlways;
    if (store.index != kNoRegister) last_use_[store.index] = kAlways;
  }
  if (plan_->reduction) last_use_[plan_->reduction->value] = kAlways;
}

int TileProgram::take_slots(int count) {
  if (count == 1 && !free_slots_.empty()) {
    const int slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  slots_ += count;
  return slots_ - count;
}

void TileProgram::add_steps() {
  steps_.clear();
  free_slots_.clear();
  slots_ = 0;
  slot_of_.assign(last_use_.size(), -1);
  ready_.assign(last_use_.size(), false);
  int64_t widest = 8;
  for (const Source& operand : operands_) widest = std::max<int64_t>(widest, operand.size);
  for (const PlanOp& op : plan_->ops) widest = std::max(widest, item_size(op.dtype));
  slot_bytes_ = (max_tile_ * widest + 63) / 64 * 64;
  if (rows_fastest_) slot_bytes_ += kCacheLine;  // the rows of a panel begin in different sets

  for (Source& operand : operands_) {
    if (operand.access == Access::kPeriodic) operand.slot = take_slots(operand.period > 1 ? 2 : 1);
    if (operand.access == Access::kAcross) operand.slot = take_slots(kPanelRows);
  }
  for (size_t i = 0; i < plan_->ops.size(); ++i) add_op(static_cast<int>(i));
  const int end = static_cast<int>(plan_->ops.size());
  for (const Store& store : stores_) {
    add_stage(store.value, end);
    if (store.index != kNoRegister) add_stage(store.index, end);
  }
  if (plan_->reduction) add_stage(plan_->reduction->value, end);
}

// Before the op that first reads it, an operand that is not used in place is copied into a slot.
void TileProgram::add_stage(Register input, int now) {
  if (input == kNoRegister || input >= op_base_ || ready_[input]) return;
  ready_[input] = true;
  Source& operand = operands_[input];
  const bool is_ready = operand.access == Access::kDirect || operand.access == Access::kPeriodic ||
                        operand.access == Access::kAcross;
  if (is_ready) return;
  TileStep step;
  step.kind = TileStep::Kind::kStage;
  step.to = input;
  step.slot = slot_of_[input] = take_slots(1);
  step.store = direct_store(input, now == static_cast<int>(plan_->ops.size()));
  steps_.push_back(step);
}

// Frees slots of registers that op `now` is the last to read. The result may take the place of an
// argument of its own size; slots of other sizes are free only afterwards.
void TileProgram::release_dying(const TileStep& step, int now, int size_wanted) {
  for (size_t i = 0; i < step.args.size(); ++i) {
    const Register arg = step.args[i];
    if (arg == kNoRegister || last_use_[arg] != now || slot_of_[arg] < 0) continue;
    const int64_t size =
        arg < op_base_ ? operands_[arg].size : item_size(plan_->ops[arg - op_base_].dtype);
    if (size_wanted && size != size_wanted) continue;
    free_slots_.push_back(slot_of_[arg]);
    slot_of_[arg] = -1;
  }
}

void TileProgram::add_op(int now) {
  const PlanOp& op = plan_->ops[now];
  for (Register arg : op.args) add_stage(arg, now);
  TileStep step;
  step.to = static_cast<Register>(op_base_ + now);
  step.args = op.args;
  step.op = static_cast<uint16_t>(now);
  switch (op.kind) {
    case PlanOp::Kind::kUfunc: {
      const Ufunc& ufunc = ufuncs()[op.ufunc];
      step.loop = ufunc.loops[op.loop].tile;
      step.quiet = ufunc.quiet;
      break;
    }
    case PlanOp::Kind::kCast: step.loop = cast_loop(op.from, op.dtype); break;
    case PlanOp::Kind::kGather:
      step.kind = TileStep::Kind::kGather;
      step.input = op.input;
      step.quiet = true;
      break;
  }
  const bool elementwise = step.kind == TileStep::Kind::kCall;
  if (elementwise) release_dying(step, now, static_cast<int>(item_size(op.dtype)));
  step.slot = slot_of_[step.to] = take_slots(1);
  release_dying(step, now, 0);
  step.store = direct_store(step.to, now + 1 == static_cast<int>(plan_->ops.size()));
  steps_.push_back(step);
}

// The output that a value may be written to by the step that makes it. Where an input may share the
// output's memory, nothing may be read after that step.
int TileProgram::direct_store(Register value, bool last) const {
  if (!apart_ && !(last && stores_.size() == 1 && !plan_->reduction)) return -1;
  for (size_t i = 0; i < stores_.size(); ++i) {
    if (stores_[i].value == value && stores_[i].access != Access::kStaged) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace gpy::rt
