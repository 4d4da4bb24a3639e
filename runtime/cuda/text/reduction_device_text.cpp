#include "runtime/cuda/text/reduction.h"

namespace gpy::rt::cuda {
namespace {

// `Reduce` has Value, Acc, Result, identity(), lift(value, index), combine(a, b) and finish(a).
// `fetch<stores>(p, row, r, m, value)` gives the values at reduced index r of output `row`, for
// kLanes lanes that walk r (rows) or outputs (columns), of which m hold one.
//
// Every order below is fixed by the extents: the same shape gives the same bits.
constexpr std::string_view kDeviceText = R"CUDA(
typedef Reduce::Value Value;
typedef Reduce::Acc Acc;
typedef Reduce::Result Result;

// An accumulator as whole words, which threads and blocks exchange.
struct Packed { u32 w[(sizeof(Acc) + 3) / 4]; };
GPY_FN Packed pack(const Acc& a) {
  Packed r;
  r.w[(sizeof(Acc) - 1) / 4] = 0;
  memcpy(&r, &a, sizeof(Acc));
  return r;
}
GPY_FN Acc unpack(const Packed& packed) {
  Acc a;
  memcpy(&a, &packed, sizeof(Acc));
  return a;
}
// Past this multiprocessor's L1, which does not see what other blocks wrote.
GPY_FN Acc read_partial(const Packed* p) {
  Packed r;
#pragma unroll
  for (int k = 0; k < (int)(sizeof(Packed) / 4); ++k) r.w[k] = __ldcg(&p->w[k]);
  return unpack(r);
}

GPY_FN Acc from_lane_below(const Acc& a, int distance) {
  Packed r = pack(a);
#pragma unroll
  for (int k = 0; k < (int)(sizeof(Packed) / 4); ++k) r.w[k] = __shfl_up_sync(~0u, r.w[k], distance);
  return unpack(r);
}
GPY_FN Acc from_lane_above(const Acc& a, int distance) {
  Packed r = pack(a);
#pragma unroll
  for (int k = 0; k < (int)(sizeof(Packed) / 4); ++k) r.w[k] = __shfl_down_sync(~0u, r.w[k], distance);
  return unpack(r);
}

GPY_FN Acc identity_of(Acc* accs, int count) {
  const Acc none = Reduce::identity();
#pragma unroll
  for (int k = 0; k < count; ++k) accs[k] = none;
  return none;
}

// Lane 0's result counts.
GPY_FN Acc combine_warp(Acc a) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) a = Reduce::combine(a, from_lane_above(a, d));
  return a;
}
// Thread 0's result counts. `room` holds one accumulator a warp.
GPY_FN Acc combine_block(Acc a, Packed* room) {
  a = combine_warp(a);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = pack(a);
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (int w = 1; w < 8; ++w) a = Reduce::combine(a, unpack(room[w]));
  }
  __syncthreads();
  return a;
}

// True in every thread of the last of `count` blocks to come here, which then sees what all wrote.
// Leaves the counter at zero.
GPY_FN bool is_last(u32* counter, u32 count) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(counter, 1u) == count - 1;
    if (last) *counter = 0;
  }
  __syncthreads();
  if (last) __threadfence();
  return last;
}

GPY_FN int lanes_left(ix end, ix at) { return end - at < kLanes ? int(end - at) : kLanes; }

GPY_FN void take(Acc (&acc)[kLanes], const Value (&value)[kLanes], ix r, int m) {
#pragma unroll
  for (int k = 0; k < kLanes; ++k) {
    if (k < m) acc[k] = Reduce::combine(acc[k], Reduce::lift(value[k], r + k));
  }
}

// Full vectors, `step` apart, fetched together: that many loads are under way at once.
template <int count>
GPY_FN void take_batch(const Params& p, ix row, ix r, ix step, Acc (&acc)[kLanes]) {
  Value value[count][kLanes];
#pragma unroll
  for (int b = 0; b < count; ++b) fetch<true>(p, row, r + b * step, kLanes, value[b]);
#pragma unroll
  for (int b = 0; b < count; ++b) take(acc, value[b], r + b * step, kLanes);
}

// Walks r from `first`, `step` apart, each lane into an accumulator of its own, then those in order.
GPY_FN Acc walk_row(const Params& p, ix row, ix first, ix end, ix step) {
  Acc acc[kLanes];
  identity_of(acc, kLanes);
  ix r = first;
  for (; end - r >= 3 * step + kLanes; r += 4 * step) take_batch<4>(p, row, r, step, acc);
  if (end - r >= step + kLanes) {
    take_batch<2>(p, row, r, step, acc);
    r += 2 * step;
  }
  for (; r < end; r += step) {
    const int m = lanes_left(end, r);
    Value value[kLanes];
    fetch<true>(p, row, r, m, value);
    take(acc, value, r, m);
  }
#pragma unroll
  for (int k = 1; k < kLanes; ++k) acc[0] = Reduce::combine(acc[0], acc[k]);
  return acc[0];
}

GPY_FN void reduce_thread_row(const Params& p, u32 block) {
  const ix row = ix(block) * kThreads + threadIdx.x;
  if (row >= p.rows) return;
  Acc acc = Reduce::identity();
  for (ix r = 0; r < p.length; r += kLanes) {
    const int m = lanes_left(p.length, r);
    Value value[kLanes];
    fetch<true>(p, row, r, m, value);
#pragma unroll
    for (int k = 0; k < kLanes; ++k) {
      if (k < m) acc = Reduce::combine(acc, Reduce::lift(value[k], r + k));
    }
  }
  p.result[result_offset(p, row)] = Reduce::finish(acc);
}

GPY_FN void reduce_warp_row(const Params& p, u32 block) {
  const ix row = ix(block) * (kThreads / 32) + threadIdx.x / 32;
  if (row >= p.rows) return;
  const ix lane = threadIdx.x % 32;
  const Acc acc = combine_warp(walk_row(p, row, lane * kLanes, p.length, 32 * kLanes));
  if (lane == 0) p.result[result_offset(p, row)] = Reduce::finish(acc);
}

GPY_FN void reduce_block_row(const Params& p, u32 block) {
  __shared__ Packed room[8];
  const ix row = ix(block) / p.splits, split = ix(block) % p.splits;
  const ix first = split * p.split_length;
  const ix end = p.length - first < p.split_length ? p.length : first + p.split_length;
  Acc acc = walk_row(p, row, first + ix(threadIdx.x) * kLanes, end, 256 * kLanes);
  acc = combine_block(acc, room);
  if (kSplits) {
    Packed* partials = (Packed*)p.partials + row * p.splits;
    if (threadIdx.x == 0) partials[split] = pack(acc);
    if (!is_last(p.counters + row, (u32)p.splits)) return;
    acc = Reduce::identity();
    for (ix s = threadIdx.x; s < p.splits; s += 256) acc = Reduce::combine(acc, read_partial(partials + s));
    acc = combine_block(acc, room);
  }
  if (threadIdx.x == 0) p.result[result_offset(p, row)] = Reduce::finish(acc);
}

// Sums, for each column, what the block's kColumns x (256 / kColumns) threads hold. Threads with
// ty == 0 get it.
GPY_FN void combine_columns(Acc (&acc)[kLanes], Packed* room, int tx, int ty) {
  const int rows = 256 / kColumns;
  for (int half = rows / 2; half > 0; half /= 2) {
    __syncthreads();
    if (ty >= half && ty < 2 * half) {
      for (int k = 0; k < kLanes; ++k) room[((ty - half) * kColumns + tx) * kLanes + k] = pack(acc[k]);
    }
    __syncthreads();
    if (ty < half) {
      for (int k = 0; k < kLanes; ++k) {
        acc[k] = Reduce::combine(acc[k], unpack(room[(ty * kColumns + tx) * kLanes + k]));
      }
    }
  }
}

GPY_FN void reduce_columns(const Params& p, u32 block) {
  __shared__ Packed room[128 * kLanes];
  const int tx = threadIdx.x % kColumns, ty = threadIdx.x / kColumns;
  const int rows = 256 / kColumns;
  const ix tile = ix(block) / p.splits, split = ix(block) % p.splits;
  const ix column = (tile * kColumns + tx) * kLanes;
  const int m = column < p.rows ? lanes_left(p.rows, column) : 0;
  const ix first = split * p.split_length;
  const ix end = p.length - first < p.split_length ? p.length : first + p.split_length;
  Acc acc[kLanes];
  identity_of(acc, kLanes);
  if (m > 0) {
#pragma unroll 4
    for (ix r = first + ty; r < end; r += rows) {
      Value value[kLanes];
      fetch<true>(p, column, r, m, value);
#pragma unroll
      for (int k = 0; k < kLanes; ++k) acc[k] = Reduce::combine(acc[k], Reduce::lift(value[k], r));
    }
  }
  combine_columns(acc, room, tx, ty);
  if (kSplits) {
    Packed* partials = (Packed*)p.partials;
    if (ty == 0) for (int k = 0; k < m; ++k) partials[split * p.rows + column + k] = pack(acc[k]);
    if (!is_last(p.counters + tile, (u32)p.splits)) return;
    identity_of(acc, kLanes);
    for (ix s = ty; s < p.splits; s += rows) {
      for (int k = 0; k < m; ++k) {
        acc[k] = Reduce::combine(acc[k], read_partial(partials + s * p.rows + column + k));
      }
    }
    combine_columns(acc, room, tx, ty);
  }
  if (ty == 0) for (int k = 0; k < m; ++k) p.result[result_offset(p, column + k)] = Reduce::finish(acc[k]);
}
)CUDA";

}  // namespace

std::string_view reduction_device_text() { return kDeviceText; }

}  // namespace gpy::rt::cuda
