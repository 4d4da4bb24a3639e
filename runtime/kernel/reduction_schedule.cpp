#include "runtime/kernel/reduction_schedule.h"

#include <algorithm>
#include <bit>

namespace gpy::rt {
namespace {

// One output of many elements fills the device: 8 blocks on each of 132 multiprocessors.
constexpr int64_t kBlocks = 1024;
// The fewest elements of a part: enough that a block has work.
constexpr int64_t kRowPart = 8192;
constexpr int64_t kColumnPart = 256;
constexpr int64_t kWarp = 32;
// What one thread takes of a row before others join it.
constexpr int64_t kThreadElements = 32;

int64_t quotient(int64_t of, int64_t by) { return (of + by - 1) / by; }

int64_t power_of_two(int64_t least) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(least, 1))));
}

bool is_walked(const Bound& bound) {
  return bound.passing == Passing::kDense || bound.passing == Passing::kStrided;
}

// Whether in every input a step along `axis` is all of the next axis.
bool is_one_axis(std::span<const Bound> inputs, const Dims& shape, int axis) {
  return std::ranges::all_of(inputs, [&](const Bound& each) {
    if (!is_walked(each)) return true;
    const Dims& strides = each.array.strides();
    return strides[axis] == strides[axis + 1] * shape[axis + 1];
  });
}

// Gives each input the axes that `keep` says, of which some are larger now.
void set_axes(std::span<Bound> inputs, Dims& shape, const Dims& keep, const Dims& extents) {
  for (Bound& each : inputs) {
    if (!is_walked(each)) continue;
    Layout layout = each.array.layout();
    Dims strides;
    for (int64_t axis : keep) strides.push_back(layout.strides[axis]);
    layout.shape = extents;
    layout.strides = strides;
    each.array = each.array.with_layout(layout);
  }
  shape = extents;
}

// The kept axes that are left.
int merge_axes(std::span<Bound> inputs, Dims& shape, int kept_rank) {
  Dims keep, extents;
  int kept_left = 0;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    const bool is_kept = axis < kept_rank;
    const bool follows = !keep.empty() && keep.back() == axis - 1 &&
                         (keep.back() < kept_rank) == is_kept &&
                         is_one_axis(inputs, shape, axis - 1);
    if (follows) {
      keep.back() = axis;
      extents.back() *= shape[axis];
    } else {
      keep.push_back(axis);
      extents.push_back(shape[axis]);
      kept_left += is_kept;
    }
  }
  set_axes(inputs, shape, keep, extents);
  return kept_left;
}

// Whether most inputs lie closer along the last kept axis than along the last reduced one.
bool lies_in_columns(std::span<const Bound> inputs, int kept_rank, int rank) {
  if (kept_rank == 0 || kept_rank == rank) return false;
  int balance = 0;
  for (const Bound& each : inputs) {
    if (!is_walked(each)) continue;
    const int64_t kept = std::abs(each.array.strides()[kept_rank - 1]);
    const int64_t reduced = std::abs(each.array.strides()[rank - 1]);
    if (kept != reduced) balance += kept < reduced ? 1 : -1;
  }
  return balance > 0;
}

// As many parts of equal length, without those that would have no element: without an identity
// there is no value for them.
int64_t full_parts(int64_t elements, int64_t parts) {
  const int64_t length = std::max<int64_t>(quotient(elements, parts), 1);
  return std::max<int64_t>(quotient(elements, length), 1);
}

}  // namespace

ReductionSchedule schedule_reduction(std::span<Bound> inputs, Dims& shape, int kept_rank,
                                     bool host) {
  ReductionSchedule out;
  out.kept_rank = merge_axes(inputs, shape, kept_rank);
  const int64_t outputs = element_count(shape.span().first(static_cast<size_t>(out.kept_rank)));
  const int64_t reduced = element_count(shape.span().subspan(static_cast<size_t>(out.kept_rank)));
  out.columns = lies_in_columns(inputs, out.kept_rank, shape.size());
  if (out.columns) {
    const int64_t neighbours = power_of_two(shape[out.kept_rank - 1]);
    out.lanes = std::min(neighbours, host ? kHostLanes : kWarp);
  } else if (!host) {
    const int64_t threads = power_of_two(quotient(reduced, kThreadElements));
    out.lanes = kReductionThreads / std::min(threads, kReductionThreads);
  }
  const int64_t worthwhile = quotient(reduced, out.columns ? kColumnPart : kRowPart);
  const int64_t missing = quotient(kBlocks, std::max<int64_t>(quotient(outputs, out.lanes), 1));
  out.parts = full_parts(reduced, std::clamp<int64_t>(std::min(worthwhile, missing), 1, kBlocks));
  return out;
}

}  // namespace gpy::rt
