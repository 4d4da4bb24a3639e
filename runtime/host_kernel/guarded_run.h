#pragma once

// Runs a user's compiled code so that it can be left: at a loop edge, when the script is
// interrupted; where it ends the process or throws; and at a fault, if the fault handler is
// installed. Left by a jump to the entry: between the two are only frames of the user's code, whose
// destructors do not run.

#include <atomic>
#include <csetjmp>
#include <string>

#include "runtime/host_kernel/kernel_object.h"

namespace gpy::rt {

// How code of a user ended.
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
    kTrap,  // the compiler knew that it must not be reached
  };
  Kind kind = Kind::kFinished;
  const void* at = nullptr;       // the instruction, in the object
  const void* address = nullptr;  // of a bad access
  std::string what;               // of an exception or an assertion
};

// One run on this thread. What a handler of signals may read is here.
class GuardedRun {
 public:
  // `catches_faults`: the fault handler is to take this run's faults. Asked to stop by either flag,
  // which may be null.
  GuardedRun(const KernelObject& object, bool catches_faults, const std::atomic<bool>* interrupt,
             const std::atomic<bool>* stop)
      : object_(object), catches_faults_(catches_faults), interrupt_(interrupt), stop_(stop) {}

  struct Call {
    Launcher launcher;
    void* const* arguments;
    const unsigned* shape;
    int64_t first, last;
    KernelPosition& position;
  };
  KernelEnd run(const Call& call);

  // The run that the calling thread is in; null if it is in none. Safe in a handler of signals.
  static GuardedRun* current();
  bool catches_faults() const { return catches_faults_; }
  bool should_stop() const { return is_set(interrupt_) || is_set(stop_); }
  const KernelObject& object() const { return object_; }
  // Back to the entry. `what` is copied, and cut.
  [[noreturn]] void leave(KernelEnd::Kind kind, const void* at, const void* address,
                          const char* what);
  void note(const void* at, const char* what);

 private:
  static bool is_set(const std::atomic<bool>* flag) {
    return flag && flag->load(std::memory_order_relaxed);
  }
  int enter(const Call& call);

  const KernelObject& object_;
  bool catches_faults_;
  const std::atomic<bool>* interrupt_;
  const std::atomic<bool>* stop_;
  sigjmp_buf entry_;
  KernelEnd::Kind kind_ = KernelEnd::Kind::kFinished;
  const void* at_ = nullptr;
  const void* address_ = nullptr;
  char what_[256] = {};
};

// What objects call.
void poll_in_kernel();
[[noreturn]] void end_in_kernel(int how, const void* at, const char* what);
void note_uncaught(const void* at, const char* what);

}  // namespace gpy::rt
