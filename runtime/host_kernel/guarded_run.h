#pragma once

// Runs a user's compiled code so that it can be left: at a loop edge, when the script is
// interrupted; where it ends the process or throws; and at a fault, if the fault handler is
// installed. It is left by a jump to the entry: between the two are only frames of the user's code,
// whose destructors do not run.

#include <atomic>
#include <csetjmp>
#include <span>
#include <string>

#include "runtime/host_kernel/block_stacks.h"
#include "runtime/host_kernel/kernel_object.h"

namespace gpy::rt {

// In bytes: since the heap may be damaged, a kernel's name is read from a buffer of fixed size.
constexpr size_t kLongestShownName = 63;

// The way in which user code ended.
struct KernelEnd {
  enum class Kind : uint8_t {
    kFinished,
    kStopped,  // it was asked to
    kAborted,  // abort, terminate, a failed assertion
    kExited,   // called exit
    kThrew,
    kRead,  // bad access
    kWrite,
    kAccess,  // an address that no memory can have: the processor does not tell which
    kBus,     // memory that the system cannot give: a file that became shorter
    kStack,   // no stack is left
    kDivision,
    kTrap,   // the compiler knew that it must not be reached
    kJump,   // called an address without code
    kStuck,  // waits for threads that do not come
  };
  Kind kind = Kind::kFinished;
  const void* at = nullptr;       // the instruction, in the object
  const void* address = nullptr;  // of a bad access
  std::string what;               // of an exception or an assertion
};

class ChildLaunches;
class LaunchWatch;

// One run on this thread, with the data that a signal handler may read.
class GuardedRun {
 public:
  // `name`: the kernel's. `catches_faults`: the fault handler is to take this run's faults. Asked
  // to stop by either flag, which may be null.
  GuardedRun(const KernelObject& object, const std::string& name, bool catches_faults,
             const std::atomic<bool>* interrupt, const std::atomic<bool>* stop)
      : object_(object), catches_faults_(catches_faults), interrupt_(interrupt), stop_(stop) {
    name.copy(name_, kLongestShownName);
  }

  struct Call {
    Launcher launcher;
    void* const* arguments;
    const unsigned* shape;
    int64_t first, last;
    KernelPosition position;                   // to begin with
    std::span<const BlockMemory> memory = {};  // where threads meet
    LaunchWatch* watch = nullptr;              // of a checked kernel
    ChildLaunches* children = nullptr;         // where its own launches go
  };
  KernelEnd run(const Call& call);
  // The position of the last run when it ended.
  const KernelPosition& position() const { return position_; }

  // The run that the calling thread is in; null if it is in none. Safe in a signal handler.
  static GuardedRun* current();
  // Whether a kernel has ever run in this process.
  static bool has_run();
  // False where the kernel has changed the data that leaving it needs: the frames between its own
  // and this object, or the object itself. Then no other function of it may be called.
  bool is_whole() const;
  bool catches_faults() const { return catches_faults_; }
  bool should_stop() const { return is_set(interrupt_) || is_set(stop_); }
  const KernelObject& object() const { return object_; }
  const char* name() const { return name_; }
  LaunchWatch* watch() const { return watch_; }
  ChildLaunches* children() const { return children_; }
  // The number in its grid of the block that runs.
  int64_t block_now() const;
  std::span<const BlockMemory> memory() const { return memory_; }
  // Jumps back to the entry. `what` is copied and truncated; `stack` is where the user's code had
  // its own, which tells its thread.
  [[noreturn]] void leave(KernelEnd::Kind kind, const void* at, const void* address,
                          const char* what, const void* stack);
  void note(const void* at, const char* what);

 private:
  static bool is_set(const std::atomic<bool>* flag) {
    return flag && flag->load(std::memory_order_relaxed);
  }
  int enter(const Call& call);
  uint64_t checksum(const void* frame) const;
  void note_thread(const void* stack);

  const KernelObject& object_;
  char name_[kLongestShownName + 1] =
      {};  // truncated; here, since the heap may be damaged when it is read
  bool catches_faults_;
  const std::atomic<bool>* interrupt_;
  const std::atomic<bool>* stop_;
  std::span<const BlockMemory> memory_;
  LaunchWatch* watch_ = nullptr;
  ChildLaunches* children_ = nullptr;
  Dim3 grid_{}, block_{};
  sigjmp_buf entry_;
  // The members from here on change while the kernel runs.
  KernelPosition position_;
  KernelEnd::Kind kind_ = KernelEnd::Kind::kFinished;
  const void* at_ = nullptr;
  const void* address_ = nullptr;
  char what_[256] = {};
};

// The first kernel of this process that made a bad access: all later failures may be its doing.
// Empty as long as there is none.
const std::string& first_wild_kernel();
// Its name, truncated. Safe in a signal handler.
const char* shown_wild_kernel();
void note_wild_kernel(const std::string& name);

// Functions that objects call.
void poll_in_kernel();
[[noreturn]] void end_in_kernel(int how, const void* at, const char* what);
void note_uncaught(const void* at, const char* what);

}  // namespace gpy::rt
