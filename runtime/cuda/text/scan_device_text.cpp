#include "runtime/cuda/text/reduction.h"

namespace gpy::rt::cuda {
namespace {

// A row longer than one block's part is split: sum_*_tiles writes the sum of each part, and the
// kernel adds up those before its own. Look-back over running blocks would be 12 % faster and not
// deterministic.
constexpr std::string_view kDeviceText = R"CUDA(
// The combination of all threads' `a` before this one's, and of all of them in `total`.
GPY_FN Acc scan_block(Acc a, Packed* room, Acc& total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Acc sum = a;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const Acc below = from_lane_below(sum, d);
    if (lane >= d) sum = Reduce::combine(below, sum);
  }
  if (lane == 31) room[warp] = pack(sum);
  __syncthreads();
  Acc before = Reduce::identity();
  total = before;
#pragma unroll
  for (int w = 0; w < 8; ++w) {
    if (w == warp) before = total;
    total = Reduce::combine(total, unpack(room[w]));
  }
  __syncthreads();
  const Acc below = from_lane_below(sum, 1);
  return lane > 0 ? Reduce::combine(before, below) : before;
}

// The sum of the parts of `row` before `split`, in every thread.
GPY_FN Acc carry_of(const Params& p, ix row, ix split, Packed* room) {
  Acc acc = Reduce::identity();
  if (!kSplits) return acc;
  const Packed* partials = (const Packed*)p.partials + row * p.splits;
  for (ix s = threadIdx.x; s < split; s += 256) acc = Reduce::combine(acc, read_partial(partials + s));
  acc = combine_block(acc, room);
  if (threadIdx.x == 0) room[0] = pack(acc);
  __syncthreads();
  acc = unpack(room[0]);
  __syncthreads();
  return acc;
}

GPY_FN void sum_row_tiles(const Params& p, u32 block) {
  __shared__ Packed room[8];
  const ix row = ix(block) / p.splits, split = ix(block) % p.splits;
  const ix first = split * p.split_length;
  const ix end = p.length - first < p.split_length ? p.length : first + p.split_length;
  Acc acc[kLanes];
  identity_of(acc, kLanes);
#pragma unroll 4
  for (ix r = first + ix(threadIdx.x) * kLanes; r < end; r += 256 * kLanes) {
    const int m = lanes_left(end, r);
    Value value[kLanes];
    fetch<false>(p, row, r, m, value);
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      if (k < m) acc[k] = Reduce::combine(acc[k], Reduce::lift(value[k], r + k));
    }
  }
#pragma unroll
  for (int k = 1; k < kLanes; ++k) acc[0] = Reduce::combine(acc[0], acc[k]);
  const Acc sum = combine_block(acc[0], room);
  if (threadIdx.x == 0) ((Packed*)p.partials)[row * p.splits + split] = pack(sum);
}

GPY_FN void scan_rows(const Params& p, u32 block) {
  __shared__ Packed room[8];
  const ix row = ix(block) / p.splits, split = ix(block) % p.splits;
  const ix first = split * p.split_length;
  const ix end = p.length - first < p.split_length ? p.length : first + p.split_length;
  Acc carry = carry_of(p, row, split, room);
  for (ix tile = first; tile < end; tile += 256 * kLanes) {
    const ix r = tile + ix(threadIdx.x) * kLanes;
    const int m = r < end ? lanes_left(end, r) : 0;
    Acc sum[kLanes];
    identity_of(sum, kLanes);
    if (m > 0) {
      Value value[kLanes];
      fetch<true>(p, row, r, m, value);
#pragma unroll
      for (int k = 0; k < kLanes; ++k) {
        if (k > 0) sum[k] = sum[k - 1];
        if (k < m) sum[k] = k > 0 ? Reduce::combine(sum[k], Reduce::lift(value[k], r + k)) : Reduce::lift(value[k], r);
      }
    }
    Acc total;
    const Acc before = Reduce::combine(carry, scan_block(sum[kLanes - 1], room, total));
    Result y[kLanes];
#pragma unroll
    for (int k = 0; k < kLanes; ++k) y[k] = Reduce::finish(Reduce::combine(before, sum[k]));
    if (m > 0) keep(p, row, r, m, y);
    carry = Reduce::combine(carry, total);
  }
}

GPY_FN void sum_column_tiles(const Params& p, u32 block) {
  const ix tile = ix(block) / p.splits, split = ix(block) % p.splits;
  const ix column = (tile * kThreads + threadIdx.x) * kLanes;
  if (column >= p.rows) return;
  const int m = lanes_left(p.rows, column);
  const ix first = split * p.split_length;
  const ix end = p.length - first < p.split_length ? p.length : first + p.split_length;
  Acc acc[kLanes];
  identity_of(acc, kLanes);
#pragma unroll 4
  for (ix r = first; r < end; ++r) {
    Value value[kLanes];
    fetch<false>(p, column, r, m, value);
#pragma unroll
    for (int k = 0; k < kLanes; ++k) acc[k] = Reduce::combine(acc[k], Reduce::lift(value[k], r));
  }
  for (int k = 0; k < m; ++k) ((Packed*)p.partials)[split * p.rows + column + k] = pack(acc[k]);
}

GPY_FN void scan_columns(const Params& p, u32 block) {
  const ix tile = ix(block) / p.splits, split = ix(block) % p.splits;
  const ix column = (tile * kThreads + threadIdx.x) * kLanes;
  if (column >= p.rows) return;
  const int m = lanes_left(p.rows, column);
  const ix first = split * p.split_length;
  const ix end = p.length - first < p.split_length ? p.length : first + p.split_length;
  Acc acc[kLanes];
  identity_of(acc, kLanes);
  if (kSplits) {
    const Packed* partials = (const Packed*)p.partials + column;
    for (ix s = 0; s < split; ++s) {
      for (int k = 0; k < m; ++k) acc[k] = Reduce::combine(acc[k], read_partial(partials + s * p.rows + k));
    }
  }
#pragma unroll 4
  for (ix r = first; r < end; ++r) {
    Value value[kLanes];
    fetch<true>(p, column, r, m, value);
    Result y[kLanes];
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      acc[k] = Reduce::combine(acc[k], Reduce::lift(value[k], r));
      y[k] = Reduce::finish(acc[k]);
    }
    keep(p, column, r, m, y);
  }
}
)CUDA";

}  // namespace

std::string_view scan_device_text() { return kDeviceText; }

}  // namespace gpy::rt::cuda
