// Chooses the form of a reduction or scan. Where the result depends on the order of combining, the
// form, the lanes and the splits follow from the extents alone: the same numbers summed give the
// same bits whatever their layout, whatever was fused with the sum, and on every device.

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "runtime/cuda/text/access.h"
#include "runtime/cuda/text/reduction.h"

namespace gpy::rt::cuda {
namespace {

// Enough blocks to fill a GPU of about 132 multiprocessors a few times. Part of the results' bits:
// never taken from the device at hand.
constexpr int64_t kFullGrid = 528;
constexpr int64_t kColumnGrid = 1200;

constexpr int64_t kThreadRowLength = 32;  // a thread a row pays with many short rows
constexpr int64_t kThreadRowCount = 4096;
constexpr int64_t kWarpRowLength = 512;  // above, a block a row is faster
constexpr int64_t kOneBlockLength =
    16384;  // below, finishing by the last block costs more than it gains
constexpr int64_t kSmallMatrix = int64_t{1} << 21;
constexpr int64_t kScanThreads = 131072;
constexpr int kMostColumnLanes = 4;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t round_up(int64_t a, int64_t unit) { return ceil_div(a, unit) * unit; }
int64_t power_of_two_up(int64_t n) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n)));
}
int64_t power_of_two_down(int64_t n) {
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(n)));
}

int64_t product(const Dims& extents, int from, int to) {
  int64_t result = 1;
  for (int d = from; d < to; ++d) result *= extents[d];
  return result;
}

// True where neighbouring outputs lie side by side in memory and reduced elements do not.
bool lies_in_columns(const Plan& plan) {
  const int kept = plan.reduction->kept, dims = plan.extents.size();
  if (kept == 0 || kept == dims) return false;
  for (const PlanInput& input : plan.inputs) {
    if (input.kind != PlanInput::Kind::kBuffer) continue;
    if (std::abs(input.strides[dims - 1]) == 1) return false;
    if (std::abs(input.strides[kept - 1]) == 1) return true;
  }
  return plan.reduction->run == 1;
}

bool by_columns(const Plan& plan, const Schedule& s) {
  if (s.rows <= 1 || s.length <= 1) return false;
  return is_order_free(plan) ? lies_in_columns(plan) : plan.reduction->run == 1;
}

// --- rows ---

// Each lane has an accumulator, so the number of lanes affects the result.
void classify_rows(const Plan& plan, const Bindings& bindings, int lanes, Schedule& s) {
  s.lanes = lanes;
  s.vector_dim = std::max(s.dims - 1, 0);
  const bool one_dimension = s.dims - s.kept == 1;
  if (lanes == 1 || one_dimension || plan.extents[s.dims - 1] % lanes == 0) {
    return classify_vectors(plan, bindings, s);
  }
  classify_lanes(plan, s);
}

// A thread's row is walked in order whatever the lanes.
int thread_row_lanes(const Plan& plan, const Schedule& s, int lanes) {
  if (s.kept == s.dims) return 1;
  const bool fits = s.dims - s.kept == 1 || plan.extents[s.dims - 1] % lanes == 0;
  return fits && s.length >= lanes ? lanes : 1;
}

void split_row(int64_t unit, Schedule& s) {
  s.splits = 1;
  if (s.rows < kFullGrid / 2 && s.length > kOneBlockLength) {
    s.splits = std::clamp<int64_t>(s.length / (4 * unit), 1, ceil_div(kFullGrid, s.rows));
  }
  s.split_length = round_up(ceil_div(std::max<int64_t>(s.length, 1), s.splits), unit);
  s.splits = std::max<int64_t>(ceil_div(s.length, s.split_length), 1);
}

int value_lanes(const Plan& plan) {
  return static_cast<int>(16 / item_size(plan.dtype_of(plan.reduction->value)));
}

void schedule_rows(const Plan& plan, const Bindings& bindings, Schedule& s) {
  const int lanes = value_lanes(plan);
  if (s.length <= 4 || (s.length <= kThreadRowLength && s.rows >= kThreadRowCount)) {
    s.form = Form::kThreadRow;
    return classify_rows(plan, bindings, thread_row_lanes(plan, s, lanes), s);
  }
  s.form = s.length <= kWarpRowLength ? Form::kWarpRow : Form::kBlockRow;
  if (s.form == Form::kBlockRow) split_row(int64_t{kThreads} * lanes, s);
  classify_rows(plan, bindings, lanes, s);
}

// --- columns ---

// Columns are independent: a thread may hold any number of them.
int column_lanes(const Plan& plan, const Schedule& s) {
  int64_t widest = 4;
  for (const PlanInput& input : plan.inputs) {
    if (input.kind != PlanInput::Kind::kBuffer) continue;
    if (std::abs(input.strides[s.kept - 1]) > 1) return 1;
    if (input.strides[s.kept - 1] == 1) widest = std::max(widest, item_size(input.dtype));
  }
  int lanes = std::min<int>(kMostColumnLanes, static_cast<int>(16 / widest));
  while (s.kept > 1 && lanes > 1 && plan.extents[s.kept - 1] % lanes) lanes /= 2;
  return lanes;
}

// Chooses threads along the outputs and the reduced elements, then blocks that share columns.
void shape_columns(Schedule& s) {
  const int64_t quads = ceil_div(s.rows, 4);
  int64_t across = std::min<int64_t>(32, power_of_two_up(quads));
  const bool small = s.rows >= 64 && s.rows * s.length <= kSmallMatrix && s.length <= 2048;
  if (small) across = std::min<int64_t>(across, 4);
  const int64_t down = std::clamp<int64_t>(power_of_two_down(std::max<int64_t>(s.length / 4, 1)), 1,
                                           kThreads / across);
  across = kThreads / down;
  s.columns = static_cast<int>(across);
  s.splits = 1;
  if (!small) {
    const int64_t most = std::clamp<int64_t>(s.length / (4 * down), 1, kFullGrid);
    s.splits = std::clamp<int64_t>(kColumnGrid / ceil_div(quads, across), 1, most);
  }
  s.split_length = ceil_div(s.length, s.splits);
  s.splits = ceil_div(s.length, s.split_length);
}

void schedule_columns(const Plan& plan, const Bindings& bindings, Schedule& s) {
  s.form = Form::kColumns;
  s.vector_dim = s.kept - 1;
  s.lanes = column_lanes(plan, s);
  shape_columns(s);
  classify_vectors(plan, bindings, s);
}

// --- scans ---

void schedule_scan(const Plan& plan, const Bindings& bindings, Schedule& s) {
  const PlanReduction& reduction = *plan.reduction;
  if (by_columns(plan, s)) {
    s.form = Form::kScanColumns;
    s.vector_dim = s.kept - 1;
    s.lanes = column_lanes(plan, s);
    const int64_t most = std::max<int64_t>(s.length / 16, 1);
    s.splits = std::clamp<int64_t>(kScanThreads / ceil_div(s.rows, 4), 1, most);
    s.split_length = ceil_div(s.length, s.splits);
    s.splits = ceil_div(s.length, s.split_length);
    classify_vectors(plan, bindings, s);
  } else {
    s.form = Form::kScanRows;
    const int lanes = value_lanes(plan);
    split_row(int64_t{kThreads} * lanes, s);
    classify_rows(plan, bindings, lanes, s);
  }
  s.result = vector_access(reduction.strides, reduction.dtype, bindings.outputs.back(),
                           s.vector_dim, s.lanes);
  if (!s.vectors) s.result = Access::kStrided;
}

// The number of threads of a block affects the results.
bool is_tree(Form form) {
  return form == Form::kBlockRow || form == Form::kColumns || form == Form::kScanRows;
}

}  // namespace

void schedule_reduction(const Plan& plan, const Bindings& bindings, Schedule& s) {
  s.kept = plan.reduction->kept;
  s.rows = product(plan.extents, 0, s.kept);
  s.length = product(plan.extents, s.kept, s.dims);
  s.split_length = s.length;
  s.result = Access::kStrided;
  if (plan.reduction->scan) {
    schedule_scan(plan, bindings, s);
  } else if (by_columns(plan, s)) {
    schedule_columns(plan, bindings, s);
  } else {
    schedule_rows(plan, bindings, s);
  }
  if (is_tree(s.form)) s.threads = kThreads;
}

// --- launches ---

namespace {

constexpr size_t kMostAccumulatorBytes = 32;

int64_t column_tiles(const Schedule& s) {
  const int64_t across = s.form == Form::kScanColumns ? s.threads : s.columns;
  return ceil_div(s.rows, across * s.lanes);
}

int64_t reduction_blocks(const Schedule& s) {
  switch (s.form) {
    case Form::kThreadRow: return ceil_div(s.rows, s.threads);
    case Form::kWarpRow: return ceil_div(s.rows, s.threads / 32);
    case Form::kColumns:
    case Form::kScanColumns: return column_tiles(s) * s.splits;
    default: return s.rows * s.splits;
  }
}

}  // namespace

LaunchList reduction_launches(const Plan& plan, const Schedule& s) {
  LaunchList steps;
  const int64_t blocks = reduction_blocks(s);
  if (blocks == 0 || (plan.reduction->scan && s.length == 0)) return steps;
  const bool sums_first = plan.reduction->scan && s.splits > 1;
  auto add = [&](int entry) {
    steps.steps[steps.count++] = {entry, static_cast<uint32_t>(blocks), 1,
                                  static_cast<uint32_t>(s.threads)};
  };
  if (sums_first) add(1);
  add(0);
  return steps;
}

Workspace reduction_workspace(const Plan& plan, const Schedule& s) {
  if (s.splits == 1) return {};
  Workspace need;
  need.partial_bytes = static_cast<size_t>(s.rows * s.splits) * kMostAccumulatorBytes;
  if (!plan.reduction->scan) {
    need.counters = static_cast<size_t>(s.form == Form::kColumns ? column_tiles(s) : s.rows);
  }
  return need;
}

}  // namespace gpy::rt::cuda
