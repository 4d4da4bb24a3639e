#include "runtime/host_kernel/host_function.h"

#include <fmt/format.h>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/host_kernel/fault_handler.h"
#include "runtime/host_kernel/guarded_run.h"
#include "runtime/text/escape_bytes.h"

namespace gpy::rt {
namespace {

using Kind = KernelEnd::Kind;

std::string address_text(const void* address) {
  return fmt::format("{:#x}", reinterpret_cast<uintptr_t>(address));
}

std::string reason(const KernelEnd& end) {
  switch (end.kind) {
    case Kind::kRead: return "read a bad address, " + address_text(end.address);
    case Kind::kWrite: return "wrote to a bad address, " + address_text(end.address);
    case Kind::kAccess: return "used an address that no memory can have";
    case Kind::kBus: return "used memory that is not there, at " + address_text(end.address);
    case Kind::kStack: return "used up the stack";
    case Kind::kDivision: return "divided an integer by zero, or gave a quotient too large";
    case Kind::kTrap: return "reached code that must not be reached";
    case Kind::kAborted: return end.what.empty() ? "aborted" : "failed: " + escape_bytes(end.what);
    case Kind::kExited: return "called exit";
    case Kind::kThrew:
      return end.what.empty() ? "threw an exception"
                              : "threw an exception: " + escape_bytes(end.what);
    case Kind::kFinished:
    case Kind::kStopped: break;
  }
  return "";
}

// What a wild access or a torn-down call leaves in doubt.
std::string doubt(const KernelEnd& end) {
  switch (end.kind) {
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kAccess:
    case Kind::kBus:
    case Kind::kStack:
      return "what the kernel writes is undefined, and it may have changed memory that is not its "
             "own: results of this process from here on are in doubt";
    default: return "what the kernel writes is undefined";
  }
}

std::string where(const SourceLine& source) {
  if (source.file.empty()) return "line not known";
  return fmt::format("{}{}:{}", source.exact ? "" : "near ", source.file, source.line);
}

std::string who(const KernelPosition& position, bool by_element) {
  if (position.element >= 0) return fmt::format("element {}", position.element);
  if (by_element) return "element not known";
  const Dim3 block = position.block, thread = position.thread;
  return fmt::format("block ({}, {}, {}), thread ({}, {}, {})", block.x, block.y, block.z, thread.x,
                     thread.y, thread.z);
}

class HostFunction final : public UserFunction {
 public:
  HostFunction(std::shared_ptr<KernelObject> object, Launcher launcher, HostThreads& threads,
               std::string name)
      : object_(std::move(object)),
        launcher_(launcher),
        threads_(threads),
        name_(std::move(name)) {}

  void launch(const KernelLaunch& launch) override {
    const Dim3 grid = launch.grid, block = launch.block;
    const int64_t blocks = int64_t{grid.x} * grid.y * grid.z;
    const int64_t threads = int64_t{block.x} * block.y * block.z;
    if (blocks == 0 || threads == 0 || threads > 1024) {
      fail(ErrorKind::kValue,
           "a launch needs 1 to 1024 threads a block and at least one block (got {} x {})", blocks,
           threads);
    }
    std::atomic<bool> failed{false};
    const StopWatch::Watched watched(threads_.stops, object_->stop_word(), current_interrupt(),
                                     &failed);
    const int64_t grain = std::max<int64_t>(1, 256 / threads);
    threads_.pool.run(blocks, grain, [&](int64_t first, int64_t last) {
      if (!failed) run_blocks(launch, first, last, failed);
    });
  }

 private:
  void run_blocks(const KernelLaunch& launch, int64_t first, int64_t last,
                  std::atomic<bool>& failed) {
    if (launch.catches_faults) ensure_signal_stack();
    KernelPosition position;
    KernelEnd end = run_once(launch, first, last, position, &failed);
    if (end.kind == Kind::kFinished) return;
    if (end.kind == Kind::kStopped) return poll_interrupt();  // else another thread's error is told
    if (launch.by_element) repeat(launch, end, position);
    failed = true;
    throw KernelFaultError(message(end, position, launch.by_element), doubt(end));
  }

  // `failed` may be null.
  KernelEnd run_once(const KernelLaunch& launch, int64_t first, int64_t last,
                     KernelPosition& position, const std::atomic<bool>* failed) {
    const Dim3 grid = launch.grid, block = launch.block;
    const unsigned shape[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    GuardedRun run(*object_, launch.catches_faults, current_interrupt(), failed);
    return run.run({launcher_, launch.arguments.data(), shape, first, last, position});
  }

  // Which element it was is found by doing its block once more, with each element noted. Should all
  // go well now, the first end is all that is known.
  void repeat(const KernelLaunch& launch, KernelEnd& end, KernelPosition& position) {
    const Dim3 grid = launch.grid, at = position.block;
    const int64_t block = (int64_t{at.z} * grid.y + at.y) * grid.x + at.x;
    KernelPosition marked;
    marked.marks = 1;
    const KernelEnd again = run_once(launch, block, block + 1, marked, nullptr);
    if (again.kind == Kind::kStopped) poll_interrupt();
    if (again.kind == Kind::kFinished || again.kind == Kind::kStopped) return;
    end = again;
    position = marked;
  }

  std::string message(const KernelEnd& end, const KernelPosition& position, bool by_element) const {
    const SourceLine source = end.at ? object_->line_of(end.at) : SourceLine{};
    return fmt::format("kernel '{}' {} ({}, {})", name_, reason(end), where(source),
                       who(position, by_element));
  }

  std::shared_ptr<KernelObject> object_;
  Launcher launcher_;
  HostThreads& threads_;
  std::string name_;
};

}  // namespace

std::shared_ptr<UserFunction> make_host_function(std::shared_ptr<KernelObject> object,
                                                 Launcher launcher, HostThreads& threads,
                                                 std::string name) {
  return std::make_shared<HostFunction>(std::move(object), launcher, threads, std::move(name));
}

}  // namespace gpy::rt
