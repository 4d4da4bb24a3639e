#include "runtime/host_kernel/host_function.h"

#include <fmt/format.h>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/host_kernel/child_launches.h"
#include "runtime/host_kernel/fault_handler.h"
#include "runtime/host_kernel/guarded_run.h"
#include "runtime/host_kernel/host_attributes.h"
#include "runtime/host_kernel/host_shim.h"
#include "runtime/host_kernel/launch_watch.h"
#include "runtime/text/backslash_replace.h"

namespace gpy::rt {
namespace {

using Kind = KernelEnd::Kind;

// So many are worth a second thread, though each may be a single addition.
constexpr int64_t kSharedElements = 256 * 1024;
constexpr int64_t kSharedThreads = 256;

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
    case Kind::kJump: return "called what is no function, at " + address_text(end.address);
    case Kind::kAborted:
      return end.what.empty() ? "aborted" : "failed: " + backslash_replace(end.what);
    case Kind::kExited: return "called exit";
    case Kind::kStuck:
      return "waits without end: the threads that it waits for wait for others, or have taken "
             "another way";
    case Kind::kThrew:
      return end.what.empty() ? "threw an exception"
                              : "threw an exception: " + backslash_replace(end.what);
    case Kind::kFinished:
    case Kind::kStopped: break;
  }
  return "";
}

// Whether it may have changed memory that is not its own.
bool is_wild(const KernelEnd& end) {
  switch (end.kind) {
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kAccess:
    case Kind::kBus:
    case Kind::kStack:
    case Kind::kJump: return true;
    default: return false;
  }
}

constexpr const char* kElsewhere =
    ", and it may have changed memory that is not its own: results of this process from here on "
    "are in doubt";

// The results that a wild access or an aborted call leaves in doubt; `earlier` is the first kernel
// of the process that made one, if any did.
std::string doubt(const KernelEnd& end, const std::string& earlier) {
  std::string text = "what the kernel writes is undefined";
  if (is_wild(end)) text += kElsewhere;
  if (!earlier.empty())
    text += fmt::format("; all this may follow from what kernel '{}' did before", earlier);
  return text;
}

// The kernel saw the flag, which may be cleared by now: the launch is not complete all the same.
[[noreturn]] void fail_interrupted() { fail(ErrorKind::kInterrupt, "interrupted"); }

// The known facts about a kernel's end.
struct Scene {
  KernelEnd end;
  KernelPosition position;
  SourceLine line;
  bool in_kernel = true;  // else before it, where its text's variables get their first values
};

std::string where(const SourceLine& source) {
  if (source.file.empty()) return "line not known";
  return fmt::format("{}{}:{}", source.exact ? "" : "near ", source.file, source.line);
}

std::string who(const Scene& scene, bool by_element) {
  if (!scene.in_kernel) return "before its first thread";
  if (scene.position.element >= 0) return fmt::format("element {}", scene.position.element);
  if (by_element) return "element not known";
  const Dim3 block = scene.position.block, thread = scene.position.thread;
  if (!scene.line.exact && !scene.position.marks)
    return fmt::format("block ({}, {}, {}), thread not known", block.x, block.y, block.z);
  return fmt::format("block ({}, {}, {}), thread ({}, {}, {})", block.x, block.y, block.z, thread.x,
                     thread.y, thread.z);
}

class HostFunction final : public UserFunction {
 public:
  HostFunction(std::shared_ptr<KernelObject> object, Launcher launcher, HostThreads& threads,
               std::string name, ThreadsRun threads_run)
      : object_(std::move(object)),
        launcher_(launcher),
        threads_(threads),
        name_(std::move(name)),
        threads_run_(threads_run) {}

  void launch(const KernelLaunch& launch) override { run_grid(launch, 0); }

  // `depth`: how many launches away from the script's.
  void run_grid(const KernelLaunch& launch, int depth) {
    Grid grid(depth);
    run_own(launch, grid);
    for (const ChildGrid& child : grid.children.take()) run_child(child, launch, depth + 1);
  }

  int attribute(FunctionAttribute attribute) override { return attributes_.get(attribute); }
  void set_attribute(FunctionAttribute attribute, int value) override {
    attributes_.set(attribute, value);
  }
  Occupancy occupancy(int, size_t) override { return {}; }
  std::string ptx() override { not_here("PTX"); }
  std::string sass() override { not_here("machine code of a GPU"); }

 private:
  // What all blocks of a grid share.
  struct Grid {
    explicit Grid(int depth) : children(depth) {}
    std::atomic<bool> failed{false};
    ChildLaunches children;
  };

  void run_own(const KernelLaunch& launch, Grid& grid) {
    const int64_t blocks = int64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
    const int64_t threads = int64_t{launch.block.x} * launch.block.y * launch.block.z;
    const StopWatch::Watched watched(threads_.stops, object_->stop_word(), current_interrupt(),
                                     &grid.failed);
    object_->initialise([&] { initialise(launch); });
    if (launch.checks) return run_checked(launch, blocks, blocks * threads, grid);
    if (threads_run_ == ThreadsRun::kAllBlocks)
      return run_at_once(launch, blocks, blocks * threads, grid);
    if (launch.in_ranges) return run_ranges(launch, grid);
    if (blocks == 1) return run_blocks(launch, 0, 1, {}, grid);
    const int64_t grain = is_generated(launch) ? 1 : std::max<int64_t>(1, kSharedThreads / threads);
    share(launch, blocks, grain, [&](int64_t first, int64_t last) {
      if (!grid.failed) run_blocks(launch, first, last, {}, grid);
    });
  }

  // Bounds of ranges are multiples of a cache line, so that no two threads write into one, and of
  // vectors.
  void run_ranges(const KernelLaunch& launch, Grid& grid) {
    constexpr int64_t kUnit = 64, kGrain = 1024;
    share(launch, (launch.elements + kUnit - 1) / kUnit, kGrain / kUnit,
          [&](int64_t first, int64_t last) {
            const ElementRange range{first * kUnit, std::min(last * kUnit, launch.elements)};
            if (!grid.failed) run_blocks(launch, 0, 1, range, grid);
          });
  }

  // An element of a generated kernel may be an addition, or a loop of thousands of rounds.
  void share(const KernelLaunch& launch, int64_t count, int64_t grain,
             const ThreadPool::Work& work) {
    if (is_generated(launch) && launch.elements < kSharedElements)
      return threads_.pool.run_unknown(count, work);
    threads_.pool.run_uneven(count, grain, work);
  }

  static bool is_generated(const KernelLaunch& launch) { return launch.elements > 0; }

  void run_child(const ChildGrid& child, const KernelLaunch& parent, int depth) {
    poll_interrupt();
    KernelLaunch launch = parent;
    launch.grid = child.grid;
    launch.block = child.block;
    launch.shared_bytes = child.shared_bytes;
    launch.arguments = child.arguments;
    launch.elements = 0;
    launch.in_ranges = false;
    HostFunction function(object_, child.launcher, threads_, child.kernel,
                          object_->threads_of(child.kernel));
    function.run_grid(launch, depth);
  }

  [[noreturn]] void not_here(const char* what) const {
    rt::fail(ErrorKind::kNotImplemented, "kernel '{}' runs on the CPU here, where there is no {}",
             name_, what);
  }

  // One thread runs all blocks in order: what is found, and in which order, is always the same.
  void run_checked(const KernelLaunch& launch, int64_t blocks, int64_t threads, Grid& grid) {
    const std::lock_guard lock(checked_);
    LaunchWatch watch(*launch.checks, *object_, launch);
    watch_ = &watch;
    struct Unwatch {
      LaunchWatch*& watch;
      ~Unwatch() { watch = nullptr; }
    } unwatch{watch_};
    if (threads_run_ == ThreadsRun::kAllBlocks) run_at_once(launch, blocks, threads, grid);
    else run_blocks(launch, 0, blocks, {0, launch.elements}, grid);
    watch.finish();
  }

  // Blocks that wait for each other. A GPU too has room for so many only.
  void run_at_once(const KernelLaunch& launch, int64_t blocks, int64_t threads, Grid& grid) {
    constexpr int64_t kMost = 1 << 18;
    if (threads > kMost) {
      rt::fail(ErrorKind::kValue,
               "kernel '{}': too many blocks in cooperative launch (grid.sync() takes at most {} "
               "threads of all blocks here, got {})",
               name_, kMost, threads);
    }
    run_blocks(launch, 0, blocks, {0, launch.elements}, grid);
  }

  void run_blocks(const KernelLaunch& launch, int64_t first, int64_t last,
                  const ElementRange& range, Grid& grid) {
    const FaultSignalsUnblocked faults(launch.catches_faults);
    KernelPosition start;
    start.range = range;
    Scene scene = run_once(launch, first, last, start, &grid);
    const Kind kind = scene.end.kind;
    if (kind == Kind::kFinished) return;
    if (kind == Kind::kStopped && grid.failed) return;  // another thread reports its error
    if (kind == Kind::kStopped) fail_interrupted();
    if (!scene.position.marks && (is_generated(launch) || !scene.line.exact)) repeat(launch, scene);
    grid.failed = true;
    fail(scene, is_generated(launch));
  }

  void initialise(const KernelLaunch& launch) {
    const FaultSignalsUnblocked faults(launch.catches_faults);
    GuardedRun run(*object_, name_, launch.catches_faults, current_interrupt(), nullptr);
    Scene scene;
    scene.in_kernel = false;
    const unsigned shape[] = {1, 1, 1, 1, 1, 1};
    GuardedRun::Call call{object_->initialiser(), nullptr, shape, 0, 1, {}};
    scene.end = has_stacks() ? run_on_stacks({}, run, call) : run.run(call);
    if (scene.end.kind == Kind::kFinished) return;
    if (scene.end.kind == Kind::kStopped) fail_interrupted();
    scene.line = line_of(scene.end, run.position());
    fail(scene, false);
  }

  [[noreturn]] void fail(const Scene& scene, bool by_element) const {
    const std::string earlier = first_wild_kernel();
    if (is_wild(scene.end)) note_wild_kernel(name_);
    throw KernelFaultError(message(scene, by_element),
                           doubt(scene.end, earlier == name_ ? "" : earlier));
  }

  // `grid` is null where it has run before.
  Scene run_once(const KernelLaunch& launch, int64_t first, int64_t last,
                 const KernelPosition& position, Grid* grid) {
    const Dim3 blocks = launch.grid, block = launch.block;
    const unsigned shape[] = {blocks.x, blocks.y, blocks.z, block.x, block.y, block.z};
    GuardedRun run(*object_, name_, launch.catches_faults, current_interrupt(),
                   grid ? &grid->failed : nullptr);
    Scene scene;
    GuardedRun::Call call{launcher_, launch.arguments.data(), shape, first, last, position};
    call.watch = watch_;
    call.children = grid ? &grid->children : nullptr;
    scene.end = has_stacks() ? run_on_stacks(launch, run, call) : run.run(call);
    scene.position = run.position();
    scene.line = line_of(scene.end, scene.position);
    // In loops over the threads of a block nobody notes which one it is.
    if (has_stacks() && !scene.position.marks) scene.line.exact = false;
    return scene;
  }

  bool has_stacks() const { return object_->stack_shift() != 0; }

  KernelEnd run_on_stacks(const KernelLaunch& launch, GuardedRun& run, GuardedRun::Call& call) {
    const Dim3 block = launch.block;
    const bool at_once = threads_run_ == ThreadsRun::kAllBlocks;
    const size_t count = at_once ? static_cast<size_t>(call.last) : 1;
    std::vector<BlockStacksPool::Lent> stacks;
    std::vector<BlockMemory> memory;
    for (size_t i = 0; i < count; ++i) {
      stacks.push_back(threads_.stacks.take(object_->stack_shift()));
      memory.push_back(stacks.back()->prepare(block.x * block.y * block.z, launch.shared_bytes));
      memory.back().at_once = at_once;
      memory.back().alone = threads_run_ == ThreadsRun::kInTurn;
    }
    call.memory = memory;
    return run.run(call);
  }

  // Finds the element or thread by running its block once more, with each noted. If that run
  // succeeds, the first end is all that is known.
  void repeat(const KernelLaunch& launch, Scene& scene) {
    const Dim3 grid = launch.grid, at = scene.position.block;
    const int64_t block = (int64_t{at.z} * grid.y + at.y) * grid.x + at.x;
    KernelPosition marked;
    marked.marks = 1;
    marked.range = scene.position.range;
    Scene again = run_once(launch, block, block + 1, marked, nullptr);
    if (again.end.kind == Kind::kStopped) fail_interrupted();
    if (again.end.kind != Kind::kFinished) scene = std::move(again);
  }

  SourceLine line_of(const KernelEnd& end, const KernelPosition& position) const {
    if (!end.at) return {};
    const SourceLine line = object_->line_of(end.at);
    if (line.file != kCalledFile) return line;
    return position.file ? SourceLine{position.file, position.line, true} : SourceLine{};
  }

  std::string message(const Scene& scene, bool by_element) const {
    return fmt::format("kernel '{}' {} ({}, {})", name_, reason(scene.end), where(scene.line),
                       who(scene, by_element));
  }

  std::shared_ptr<KernelObject> object_;
  Launcher launcher_;
  HostThreads& threads_;
  std::string name_;
  ThreadsRun threads_run_;
  HostAttributes attributes_;
  ForkSafe<std::mutex> checked_;  // held while a checked launch runs
  LaunchWatch* watch_ = nullptr;
};

}  // namespace

std::shared_ptr<UserFunction> make_host_function(std::shared_ptr<KernelObject> object,
                                                 Launcher launcher, HostThreads& threads,
                                                 std::string name, ThreadsRun threads_run) {
  return std::make_shared<HostFunction>(std::move(object), launcher, threads, std::move(name),
                                        threads_run);
}

}  // namespace gpy::rt
