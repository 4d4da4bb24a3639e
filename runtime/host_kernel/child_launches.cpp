#include "runtime/host_kernel/child_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <iterator>
#include <tuple>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/host_kernel/guarded_run.h"
#include "runtime/kernel/launch_shape.h"

namespace gpy::rt {
namespace {

constexpr int kDeepest = 24;  // "Maximum nesting depth" of CUDA's programming guide
constexpr size_t kMostWaiting = 1 << 20;
// Without an attribute, which kernels cannot set.
constexpr uint64_t kMostChildSharedBytes = 48 << 10;
constexpr size_t kAlignment = 64;

// A jump leaves the kernel: no object that owns memory may be alive then.
thread_local char told[200];

template <class... Values>
const char* tell(fmt::format_string<Values...> format, Values&&... values) {
  const auto end =
      fmt::format_to_n(told, std::size(told) - 1, format, std::forward<Values>(values)...);
  *end.out = '\0';
  return told;
}

ChildGrid make_grid_of(const ChildLaunch& launch, int64_t from_block) {
  const uint32_t* const n = launch.shape;
  ChildGrid out{launch.launcher,
                launch.kernel,
                {n[0], n[1], n[2]},
                {n[3], n[4], n[5]},
                launch.shared_bytes,
                {},
                {},
                from_block,
                launch.at_tail != 0};
  for (int i = 0; i < launch.count; ++i) {
    auto bytes = std::make_unique<std::byte[]>(launch.sizes[i] + kAlignment);
    void* at = bytes.get();
    size_t room = launch.sizes[i] + kAlignment;
    std::align(kAlignment, launch.sizes[i], at, room);
    std::memcpy(at, launch.values[i], launch.sizes[i]);
    out.values.push_back(std::move(bytes));
    out.arguments.push_back(at);
  }
  return out;
}

}  // namespace

const char* ChildLaunches::refusal(const ChildLaunch& launch) {
  const char* const name = launch.kernel;
  for (int i = 0; i < 6; ++i) {
    if (launch.shape[i] == 0) return tell("its launch of '{}' has an extent of 0", name);
  }
  const uint64_t threads = uint64_t{launch.shape[3]} * launch.shape[4] * launch.shape[5];
  if (threads > kMostThreadsOfBlock || launch.shape[5] > 64)
    return tell("its launch of '{}' has {} threads a block, at most {}", name, threads,
                kMostThreadsOfBlock);
  if (launch.shape[0] > 0x7fffffff || launch.shape[1] > 65535 || launch.shape[2] > 65535)
    return tell("its launch of '{}' has too many blocks", name);
  if (launch.shared_bytes > kMostChildSharedBytes)
    return tell("its launch of '{}' asks for {} bytes of shared memory, at most {}", name,
                launch.shared_bytes, kMostChildSharedBytes);
  if (depth_ >= kDeepest)
    return tell("its launch of '{}' is {} launches deep, at most {}", name, depth_ + 1, kDeepest);
  const std::lock_guard lock(mutex_);
  if (grids_.size() >= kMostWaiting)
    return tell("its launch of '{}' has {} before it that wait", name, kMostWaiting);
  return nullptr;
}

void ChildLaunches::add(const ChildLaunch& launch, int64_t from_block) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    grids_.push_back(make_grid_of(launch, from_block));
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::vector<ChildGrid> ChildLaunches::take() {
  if (failure_) std::rethrow_exception(failure_);
  std::ranges::stable_sort(
      grids_, {}, [](const ChildGrid& grid) { return std::tuple(grid.at_tail, grid.from_block); });
  return std::move(grids_);
}

// A run that only looks for the place of a fault has launched them before.
void launch_in_kernel(const ChildLaunch* launch) {
  GuardedRun* const run = GuardedRun::current();
  ChildLaunches* const children = run ? run->children() : nullptr;
  if (!children) return;
  if (const char* refused = children->refusal(*launch)) end_in_kernel(2, launch->at, refused);
  children->add(*launch, run->block_now());
}

}  // namespace gpy::rt
