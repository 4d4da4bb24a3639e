#pragma once

// Runs of plans of each shape. `flags` has one entry an op and one more for a reduction; it is
// empty when nobody asks.

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/core/thread_pool.h"
#include "runtime/tiles/tiles.h"

namespace gpy::rt {

// The work, in additions, that is worth a second thread. Sharing it costs 20 to 40 us on 16 cores,
// in which one core adds that many elements.
inline constexpr int64_t kParallelWork = 256 * 1024;

inline int64_t work_of(const TileProgram& program, int64_t elements) {
  return std::max<int64_t>(elements * program.cost(), 1);
}

inline bool runs_on_one_thread(const ThreadPool& threads, const TileProgram& program, int64_t count,
                               int64_t item_work) {
  const bool small = count * work_of(program, item_work) < kParallelWork && !threads.is_delayed();
  return small || threads.threads() == 1;
}

// Calls work(runner, item) for each item of [0, count) on the pool's threads, each with a runner
// of its own, and gathers their flags. `item_work` is the elements an item stands for.
template <class Work>
void run_pieces(ThreadPool& threads, const TileProgram& program, int64_t count, int64_t item_work,
                std::span<int> flags, Work&& work) {
  if (runs_on_one_thread(threads, program, count, item_work)) {
    TileRunner runner(program, flags.empty() ? nullptr : flags.data());
    for (int64_t item = 0; item < count; ++item) {
      poll_interrupt();
      work(runner, item);
    }
    return;
  }
  std::mutex gathering;
  const int64_t grain = threads.is_delayed()
                            ? 1
                            : std::max<int64_t>(kParallelWork / 4 / work_of(program, item_work), 1);
  threads.run(count, grain, [&](int64_t begin, int64_t end) {
    std::vector<int> events(flags.size());
    TileRunner runner(program, flags.empty() ? nullptr : events.data());
    for (int64_t item = begin; item < end; ++item) {
      poll_interrupt();
      work(runner, item);
    }
    if (flags.empty()) return;
    std::lock_guard lock(gathering);
    for (size_t i = 0; i < events.size(); ++i) flags[i] |= events[i];
  });
}

// A plan that is run again and again, by one thread at a time.
class LoopRun {
 public:
  virtual ~LoopRun() = default;
  virtual void run(const Bindings& bindings, std::span<int> flags) = 0;
  virtual bool is_all_or_nothing() const { return false; }  // as PreparedPlan has it
};
// Keep references to threads and plan. `apart`, `tile`: as TileProgram::prepare takes them.
std::unique_ptr<LoopRun> make_map_run(ThreadPool& threads, const Plan& plan, bool apart,
                                      int64_t tile);
std::unique_ptr<LoopRun> make_reduction_run(ThreadPool& threads, const Plan& plan, int64_t tile);
std::unique_ptr<LoopRun> make_scan_run(ThreadPool& threads, const Plan& plan, int64_t tile);

}  // namespace gpy::rt
