#pragma once

// Plain reads of what others change by atomic operations. Such a read is a mistake, unless the
// reader's own atomic operation proves what it has read, as loops of atomicCAS do.

#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/kernel/checks/finding.h"

namespace gpy::rt {

class EarlyReads {
 public:
  // A thread, by its block.
  using Thread = std::pair<const void*, unsigned>;

  // Whether the reads that are kept are not those of the thread that runs now. Threads take turns
  // only where they wait, so all that is kept is of one of them.
  bool are_of_others(const Thread& running);
  // A read of the thread that runs: it is told unless it is proven. Of one place of the text the
  // first is kept.
  void add(PlacedFinding finding, const std::byte* at);
  // An atomic operation of the same thread there.
  void prove(const std::byte* at);
  // Those that have not been proven, which are then no longer kept.
  std::vector<PlacedFinding> take();

 private:
  struct Read {
    PlacedFinding finding;
    const std::byte* at;
  };

  Thread running_{};
  std::vector<Read> reads_;
};

}  // namespace gpy::rt
