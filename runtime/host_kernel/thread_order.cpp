#include "runtime/host_kernel/thread_order.h"

#include <algorithm>

namespace gpy::rt {

void ThreadOrder::start_block(uint32_t number) {
  block_ = number;
  barriers_ = latest_ = known_ = 0;
  warp_steps_.fill(0);
  last_atomic_.fill(0);
}

void ThreadOrder::open_barrier() {
  ++barriers_;
  known_ = latest_;
}

void ThreadOrder::note_atomic(unsigned rank, uint32_t count) {
  last_atomic_[rank] = latest_ = count;
  if (all_.size() <= block_) all_.resize(block_ + 1);
  all_[block_] = count;
}

// The last atomic operation of whoever did that.
uint32_t ThreadOrder::last_of(const Moment& moment, bool same_block) const {
  if (same_block) return last_atomic_[moment.rank];
  return moment.block < all_.size() ? all_[moment.block] : 0;
}

bool ThreadOrder::races(const Moment& before, const Moment& now) const {
  if (before.block == 0 || before.grids != now.grids) return false;
  const bool same_block = before.block == now.block;
  if (same_block && (before.rank == now.rank || before.barriers != now.barriers)) return false;
  const bool same_warp = same_block && before.rank / 32u == now.rank / 32u;
  if (same_warp && before.warp_steps != now.warp_steps) return false;
  // An atomic operation of each between the two orders them, whatever it is of: a lock, a counter.
  const uint32_t mine = std::max(last_atomic_[now.rank], known_);
  return std::min(mine, last_of(before, same_block)) <= before.atomics;
}

}  // namespace gpy::rt
