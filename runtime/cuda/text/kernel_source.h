#pragma once

// The text of a scheduled plan's kernel. It holds no header and no number that differs between
// launches of one key.

#include <array>
#include <string>

#include "runtime/cuda/text/schedule.h"
#include "runtime/cpp_text/writer.h"

namespace gpy::rt::cuda {

// Names of a text's kernels. All but scans have the first alone.
inline constexpr int kMostSteps = 3;
inline constexpr std::array<const char*, kMostSteps> kEntries = {"gpy_kernel", "gpy_tile_sums",
                                                                 "gpy_carries"};

// The kernel alone, as golden tests compare it; `kernel_source` puts the support text before it.
std::string kernel_text(const Plan& plan, const Schedule& schedule);
std::string kernel_source(const Plan& plan, const Schedule& schedule);
// The support text around kernels, as kernel_source does around one.
std::string with_support(const std::string& kernels);

// One launch of a plan's kernels.
struct KernelLaunch {
  int entry = 0;
  uint32_t blocks_x = 1, blocks_y = 1;
  uint32_t threads = kThreads;
};
struct LaunchList {
  std::array<KernelLaunch, kMostSteps> steps;
  int count = 0;  // 0: nothing to do
};
LaunchList launches_of(const Plan& plan, const Schedule& schedule);

// The memory that a launch needs beside its operands.
struct Workspace {
  size_t partial_bytes = 0;
  size_t counters = 0;  // 32-bit, zero between launches
};
Workspace workspace_of(const Plan& plan, const Schedule& schedule);

// A kernel whose blocks call function(p, block).
void write_entry(const Schedule& schedule, CppWriter& out, const char* name, const char* function);

// Text of the kernels of each kind, without support.
void write_map(const Plan& plan, const Schedule& schedule, CppWriter& out);
void write_reduction(const Plan& plan, const Schedule& schedule, CppWriter& out);

}  // namespace gpy::rt::cuda
