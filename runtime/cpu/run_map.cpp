#include <algorithm>
#include <mutex>

#include "runtime/cpu/run.h"

namespace gpy::rt {

namespace {

void run_map(ThreadPool& threads, const TileProgram& program, std::span<int> flags) {
  auto run_tile = [&program](TileRunner& runner, int64_t number) {
    int64_t start, length;
    program.tile(number, &start, &length);
    runner.run(start, length);
  };
  const auto& outputs = program.plan().outputs;
  const bool scatters = std::ranges::any_of(
      outputs, [](const PlanOutput& output) { return output.index != kNoRegister; });
  if (!scatters) {
    run_pieces(threads, program, program.tile_count(), program.max_tile(), flags, run_tile);
    return;
  }
  // If two elements go to one place the later one wins, so they are stored in order.
  TileRunner runner(program, flags.empty() ? nullptr : flags.data());
  for (int64_t tile = 0; tile < program.tile_count(); ++tile) {
    poll_interrupt();
    run_tile(runner, tile);
  }
}

class MapRun final : public LoopRun {
 public:
  MapRun(ThreadPool& threads, const Plan& plan, bool apart, int64_t tile) : threads_(threads) {
    program_.prepare(plan, {}, apart, tile);
  }
  void run(const Bindings& bindings, std::span<int> flags) override {
    program_.bind(bindings);
    run_map(threads_, program_, flags);
  }
  // One runner has its memory before it stores the first element.
  bool is_all_or_nothing() const override {
    return runs_on_one_thread(threads_, program_, program_.tile_count(), program_.max_tile());
  }

 private:
  ThreadPool& threads_;
  TileProgram program_;
};

}  // namespace

std::unique_ptr<LoopRun> make_map_run(ThreadPool& threads, const Plan& plan, bool apart,
                                      int64_t tile) {
  return std::make_unique<MapRun>(threads, plan, apart, tile);
}

}  // namespace gpy::rt
