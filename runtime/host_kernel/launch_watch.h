#pragma once

// What is looked for while a checked kernel runs on the host, on one thread from its first block to
// its last: the compiler calls touched() before each access to memory (watch_text.cpp), and the
// text tells of blocks, barriers and ends of threads.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/host_kernel/access_shadow.h"
#include "runtime/host_kernel/block_stacks.h"
#include "runtime/host_kernel/early_reads.h"
#include "runtime/host_kernel/kernel_object.h"
#include "runtime/host_kernel/thread_order.h"
#include "runtime/kernel/checks/finding.h"

namespace gpy::rt {

class GuardedRun;

// An access as the object tells it: the layout of _gpy_touch.
struct Touch {
  const std::byte* at;
  uint64_t bytes;
  MemoryUse use;
  const void* where;  // the return address
};

// What threads of a block come to: the layout of _gpy_event.
struct BlockEvent {
  enum class Kind : int32_t { kStart, kArrive, kOpen, kGrid, kWarp, kEnd };
  Kind kind;
  uint32_t rank;       // of the thread, or of the warp
  const void* region;  // the block's stacks
  const char* file;    // where it arrives
  int32_t line;
};

// A shared array of the text.
struct SharedArray {
  const std::byte* at;
  uint64_t bytes, item;
  int32_t name;
};

class LaunchWatch {
 public:
  LaunchWatch(LaunchChecks& checks, const KernelObject& object, const KernelLaunch& launch);

  void found(const Finding& finding, const KernelPosition& position);
  void touched(const GuardedRun& run, const Touch& touch, const void* frame);
  void came(const GuardedRun& run, const BlockEvent& event);
  void declared(const SharedArray& array);
  // Behind the last block.
  void finish() {
    settle();
    keep_early_reads();
  }

 private:
  struct SharedPart {
    std::byte* begin;
    std::unique_ptr<AccessShadow> shadow;
  };
  // A block that runs, by the region of its stacks.
  struct Block {
    explicit Block(BlockAtomics& atomics) : order(atomics) {}
    ThreadOrder order;
    Dim3 at;
    std::vector<SharedPart> shared;
    BlockEvent first{};  // at the barrier that is not open yet
    bool arrived = false, ended = false;
    uint32_t ended_rank = 0;
  };
  struct Global {
    const CheckedMemory* memory;
    std::unique_ptr<AccessShadow> shadow;  // null: too large for one
  };
  struct Reader {
    uint32_t block;
    int64_t element;
    bool operator==(const Reader&) const = default;
  };
  // What the last write has done is seen when something else happens.
  struct Pending {
    std::optional<PlacedFinding> race, nan;
    const std::byte* at = nullptr;
    size_t bytes = 0;
    std::byte before[16] = {};
    Touch nan_at{};
    DType dtype{};
  };

  Block* block_of(const GuardedRun& run, const void* frame, unsigned& rank);
  void start(Block& block, const GuardedRun& run, const void* region);
  void add_shared(Block& block, const GuardedRun& run, const void* region) const;
  void arrive(Block& block, const BlockEvent& event);
  void end(Block& block, const BlockEvent& event);
  void diverge(const Block& block, const BlockEvent& event, unsigned other, int line);

  void touch_shared(Block& block, unsigned rank, const Touch& touch, SharedPart& part,
                    const KernelPosition& position);
  void touch_global(Block& block, unsigned rank, const Touch& touch, Global& global,
                    const KernelPosition& position);
  void look_for_nan(const GuardedRun& run, const Block& block, unsigned rank, const Touch& touch,
                    const Global& global);
  Moment moment(const Block& block, unsigned rank, const KernelPosition& position);
  void race(PlacedFinding finding, const Touch& touch, bool with_atomic);
  void settle();
  void keep_early_reads();

  PlacedFinding finding_at(Finding::Kind kind, const Block& block, unsigned rank,
                           const Touch& touch, const KernelPosition& position) const;
  void name_other(PlacedFinding& finding, const Moment& other) const;
  void name_shared(PlacedFinding& finding, const std::byte* at) const;
  void keep(PlacedFinding finding);

  LaunchChecks& checks_;
  const KernelObject& object_;
  Dim3 grid_, extents_;
  size_t shared_bytes_;
  BlockAtomics block_atomics_;
  std::map<const void*, Block> blocks_;
  std::vector<Global> globals_;
  std::map<const std::byte*, SharedArray> shared_;
  Pending pending_;
  EarlyReads early_reads_;
  std::map<const void*, SourceLine> lines_;
  uint32_t blocks_run_ = 0, atomics_ = 0;
  Reader nan_reader_{};
};

// What objects call.
void note_finding(const Finding* finding);
void note_touch(const Touch* touch);
void note_event(const BlockEvent* event);
void note_shared(const SharedArray* array);

}  // namespace gpy::rt
