#include <algorithm>
#include <mutex>

#include "runtime/cpu/run.h"

namespace gpy::rt {

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
  // Where two elements go to one place the later one wins, so they are stored in order.
  TileRunner runner(program, flags.empty() ? nullptr : flags.data());
  for (int64_t tile = 0; tile < program.tile_count(); ++tile) {
    poll_interrupt();
    run_tile(runner, tile);
  }
}

}  // namespace gpy::rt
