#pragma once

// Which of two accesses of a block's threads come one after the other in every run, as far as
// barriers, operations of warps and atomic operations tell.

#include <array>
#include <cstdint>
#include <vector>

namespace gpy::rt {

// Who accessed memory, and when.
struct Moment {
  uint32_t block;  // counted in the order of their run, from 1; 0: nobody
  uint32_t rank;   // of the thread in its block
  uint32_t barriers, warp_steps, grids;
  uint32_t atomics;  // of the launch so far
};

// The number of each block's last atomic operation, by the block's number.
using BlockAtomics = std::vector<uint32_t>;

class ThreadOrder {
 public:
  explicit ThreadOrder(BlockAtomics& all) : all_(all) {}
  void start_block(uint32_t number);
  void open_barrier();
  void open_grid() { ++grids_; }
  void step_warp(unsigned warp) { ++warp_steps_[warp]; }
  // The thread has done an atomic operation, the launch's number `count`: it comes after all that
  // threads did before theirs.
  void note_atomic(unsigned rank, uint32_t count);

  Moment now(unsigned rank, uint32_t atomics) const {
    return {block_, rank, barriers_, warp_steps_[rank / 32], grids_, atomics};
  }
  // Whether nothing orders what happened at `before` and what happens now.
  bool races(const Moment& before, const Moment& now) const;

 private:
  uint32_t last_of(const Moment& moment, bool same_block) const;

  uint32_t block_ = 0, barriers_ = 0, grids_ = 0;
  uint32_t latest_ = 0, known_ = 0;  // atomic operations of the block; those before its barrier
  BlockAtomics& all_;
  std::array<uint32_t, 32> warp_steps_{};
  std::array<uint32_t, 1024> last_atomic_{};
};

}  // namespace gpy::rt
