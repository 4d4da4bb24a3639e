#include "runtime/cuda/text/schedule.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/core/error.h"
#include "runtime/cuda/text/access.h"

namespace gpy::rt::cuda {
namespace {

// 32-bit indices leave room for the last block's idle threads.
constexpr int64_t kNarrowLimit = (int64_t{1} << 31) - (1 << 16);

// A load of fewer bytes than this is slower than a few single elements a thread.
constexpr int kSmallestVector = 8;
constexpr int kScatteredLanes = 4;

// Static shared memory of a block, and the extent from which tiles beat scattered reads.
constexpr int64_t kTileBytes = 48 << 10;
constexpr int64_t kShortestTiled = 16;
constexpr int kSmallSide = 32;

int64_t span_of(const Dims& extents, const Dims& strides) {
  int64_t span = 0;
  for (int d = 0; d < strides.size(); ++d) span += (extents[d] - 1) * std::abs(strides[d]);
  return span;
}

bool all_zero(const Dims& strides) {
  return std::ranges::all_of(strides, [](int64_t s) { return s == 0; });
}

bool needs_wide(const Plan& plan, int64_t count) {
  if (count >= kNarrowLimit) return true;
  for (const PlanInput& input : plan.inputs) {
    if (input.kind != PlanInput::Kind::kIota &&
        span_of(plan.extents, input.strides) >= kNarrowLimit) {
      return true;
    }
  }
  for (const PlanOutput& output : plan.outputs) {
    if (span_of(plan.extents, output.strides) >= kNarrowLimit) return true;
  }
  if (!plan.reduction) return false;
  return span_of(plan.extents, plan.reduction->strides) >= kNarrowLimit;
}

bool is_linear(const Dims& extents, const Dims& strides) {
  int64_t expected = 1;
  for (int d = extents.size() - 1; d >= 0; --d) {
    if (extents[d] != 1 && strides[d] != expected) return false;
    expected *= extents[d];
  }
  return true;
}

}  // namespace

// Neighbours are loaded and stored at once where each vector of them starts at a multiple of its
// own size, or of 16 bytes: a wider access would reach bytes beside the array.
Access vector_access(const Dims& strides, DType dtype, const void* address, int vector_dim,
                     int lanes) {
  if (strides.empty()) return Access::kVector;
  if (strides[vector_dim] != 1) return Access::kStrided;
  const int64_t unit = std::min<int64_t>(lanes * item_size(dtype), kVectorBytes);
  if (reinterpret_cast<uintptr_t>(address) % unit) return Access::kStrided;
  for (int d = 0; d < strides.size(); ++d) {
    if (d != vector_dim && strides[d] * item_size(dtype) % unit) return Access::kStrided;
  }
  return Access::kVector;
}

namespace {

Access input_access(const PlanInput& input, int vector_dim) {
  if (input.kind == PlanInput::Kind::kIota) return Access::kIota;
  if (all_zero(input.strides)) return Access::kOnce;
  if (input.kind == PlanInput::Kind::kGather) return Access::kGather;
  return input.strides[vector_dim] == 0 ? Access::kRepeat : Access::kStrided;
}

}  // namespace

void classify_vectors(const Plan& plan, const Bindings& bindings, Schedule& s) {
  s.vectors = true;
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const PlanInput& input = plan.inputs[i];
    Access access = input_access(input, s.vector_dim);
    if (access == Access::kStrided)
      access = vector_access(input.strides, input.dtype, bindings.inputs[i], s.vector_dim, s.lanes);
    s.inputs.push_back(access);
  }
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    const PlanOutput& output = plan.outputs[i];
    const Access access =
        vector_access(output.strides, output.dtype, bindings.outputs[i], s.vector_dim, s.lanes);
    s.outputs.push_back(output.index == kNoRegister ? access : Access::kStrided);
  }
}

void classify_lanes(const Plan& plan, Schedule& s) {
  s.vectors = false;
  for (const PlanInput& input : plan.inputs) {
    Access access = input_access(input, 0);
    if (access == Access::kRepeat) access = Access::kStrided;
    if (access == Access::kStrided && is_linear(plan.extents, input.strides)) {
      access = Access::kVector;
    }
    s.inputs.push_back(access);
  }
  for (const PlanOutput& output : plan.outputs) {
    const bool linear = is_linear(plan.extents, output.strides);
    s.outputs.push_back(linear ? Access::kVector : Access::kStrided);
  }
}

namespace {

int widest_item(const Plan& plan) {
  int64_t widest = 1;
  for (const PlanInput& input : plan.inputs) {
    if (input.kind == PlanInput::Kind::kBuffer && !all_zero(input.strides)) {
      widest = std::max(widest, item_size(input.dtype));
    }
  }
  for (const PlanOutput& output : plan.outputs) widest = std::max(widest, item_size(output.dtype));
  return static_cast<int>(widest);
}

// Lanes along the last dimension, or 0 where vectors gain nothing.
int map_lanes(const Plan& plan) {
  const int widest = widest_item(plan);
  int lanes = kVectorBytes / widest;
  const int inner = plan.extents.size() - 1;
  if (inner < 0) return lanes;
  for (const PlanInput& input : plan.inputs) {
    if (input.kind == PlanInput::Kind::kBuffer && std::abs(input.strides[inner]) > 1) return 0;
    if (input.kind == PlanInput::Kind::kBuffer && input.strides[inner] == -1) return 0;
  }
  for (const PlanOutput& output : plan.outputs) {
    if (output.index == kNoRegister && output.strides[inner] != 1) return 0;
  }
  if (inner == 0) return lanes;
  while (lanes > 1 && plan.extents[inner] % lanes) lanes /= 2;
  return lanes * widest >= kSmallestVector ? lanes : 0;
}

// The dimension along which some input lies contiguous while it does not along the last.
int other_direction(const Plan& plan) {
  const int inner = plan.extents.size() - 1;
  for (const PlanInput& input : plan.inputs) {
    if (input.kind != PlanInput::Kind::kBuffer || std::abs(input.strides[inner]) <= 1) continue;
    for (int d = inner - 1; d >= 0; --d) {
      if (input.strides[d] == 1 && plan.extents[d] >= kShortestTiled) return d;
    }
  }
  return -1;
}

bool lies_along(const PlanInput& input, int dim, int inner) {
  return input.kind == PlanInput::Kind::kBuffer && input.strides[dim] == 1 &&
         std::abs(input.strides[inner]) > 1;
}

// The side of the largest square tile that fits for every input that needs one; 0 if there is none.
int tile_side(const Plan& plan, int dim) {
  const int inner = plan.extents.size() - 1;
  int64_t bytes = 0;
  for (const PlanInput& input : plan.inputs) {
    if (lies_along(input, dim, inner)) bytes += item_size(input.dtype);
  }
  for (int side : {64, kSmallSide}) {
    if (bytes * side * (side + 1) <= kTileBytes) return side;
  }
  return 0;
}

bool schedule_tiled(const Plan& plan, Schedule& s) {
  const int inner = s.dims - 1;
  if (inner < 1 || plan.extents[inner] < kShortestTiled) return false;
  if (plan.outputs.empty() || plan.outputs[0].strides[inner] != 1) return false;
  const int dim = other_direction(plan);
  if (dim < 0) return false;
  s.columns = tile_side(plan, dim);
  if (s.columns == 0) return false;
  if (s.threads < kThreads) s.columns = kSmallSide;
  s.form = Form::kTiled;
  s.vector_dim = dim;
  s.lanes = s.columns * s.columns / s.threads;
  classify_lanes(plan, s);
  auto spread = [](Access& access) {
    if (access == Access::kVector) access = Access::kStrided;
  };
  for (Access& access : s.outputs) spread(access);
  for (size_t i = 0; i < s.inputs.size(); ++i) {
    spread(s.inputs[i]);
    if (lies_along(plan.inputs[i], dim, inner)) s.inputs[i] = Access::kTiled;
  }
  auto tiles = [&](int64_t extent) { return (extent + s.columns - 1) / s.columns; };
  s.rows = s.count / plan.extents[dim] / plan.extents[inner] * tiles(plan.extents[dim]) *
           tiles(plan.extents[inner]);
  return true;
}

void schedule_map(const Plan& plan, const Bindings& bindings, Schedule& s) {
  s.kept = s.dims;
  s.vector_dim = std::max(s.dims - 1, 0);
  s.lanes = map_lanes(plan);
  if (s.lanes == 0 && s.count > 0 && schedule_tiled(plan, s)) return;
  if (s.lanes == 0) {
    s.form = Form::kScattered;
    s.lanes = kScatteredLanes;
    return classify_lanes(plan, s);
  }
  s.form = s.dims > 1 ? Form::kRows : Form::kFlat;
  classify_vectors(plan, bindings, s);
}

}  // namespace

namespace {

bool choose_wide(const Plan& plan, int64_t count, Hostile::Indices indices) {
  const bool needed = needs_wide(plan, count);
  if (needed && indices == Hostile::Indices::kNarrow) {
    fail(ErrorKind::kRuntime, "{} elements are too many for indices of 32 bits", count);
  }
  return needed || indices == Hostile::Indices::kWide;
}

}  // namespace

void make_schedule(const Plan& plan, const Bindings& bindings, Schedule& s,
                   const Hostile& hostile) {
  s.inputs.clear();
  s.outputs.clear();
  s.dims = plan.extents.size();
  s.count = plan.count();
  s.wide = choose_wide(plan, s.count, hostile.indices);
  s.threads = hostile.block ? hostile.block : kThreads;
  s.walks_grid = hostile.grid > 0;
  s.splits = 1;
  s.columns = 0;
  if (plan.reduction) {
    schedule_reduction(plan, bindings, s);
  } else {
    schedule_map(plan, bindings, s);
  }
}

int64_t Schedule::divisor(const Plan& plan, int dim) const {
  return plan.extents[dim] / (vectors && dim == vector_dim ? lanes : 1);
}

namespace {

template <class Number> void append(std::string& key, Number number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void append_op(std::string& key, const PlanOp& op) {
  append(key, op.kind);
  append(key, op.dtype);
  if (op.kind == PlanOp::Kind::kUfunc) {
    append(key, op.ufunc);
    append(key, op.loop);
  } else {
    append(key, op.kind == PlanOp::Kind::kGather ? op.input : static_cast<uint16_t>(op.from.key()));
  }
  append(key, op.args);
}

}  // namespace

void append_key(const Plan& plan, const Schedule& s, std::string& key) {
  append(key, s.form);
  append(key, static_cast<uint8_t>(s.wide | s.vectors << 1 | (s.splits > 1) << 2));
  append(key, static_cast<uint8_t>(s.lanes));
  append(key, static_cast<uint8_t>(s.dims));
  append(key, static_cast<uint8_t>(s.kept));
  append(key, static_cast<uint8_t>(s.vector_dim));
  append(key, static_cast<uint16_t>(s.columns));
  append(key, static_cast<uint16_t>(plan.inputs.size()));
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    append(key, plan.inputs[i].dtype);
    append(key, plan.inputs[i].kind);
    append(key, s.inputs[i]);
  }
  append(key, static_cast<uint16_t>(plan.scalars.size()));
  for (DType dtype : plan.scalars) append(key, dtype);
  append(key, static_cast<uint16_t>(plan.ops.size()));
  for (const PlanOp& op : plan.ops) append_op(key, op);
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    append(key, plan.outputs[i].value);
    append(key, plan.outputs[i].dtype);
    append(key, plan.outputs[i].index);
    append(key, s.outputs[i]);
  }
  if (!plan.reduction) return;
  append(key, plan.reduction->reduction);
  append(key, plan.reduction->loop);
  append(key, plan.reduction->value);
  append(key, s.result);
}

}  // namespace gpy::rt::cuda
