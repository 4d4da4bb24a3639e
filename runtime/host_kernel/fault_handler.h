#pragma once

// Handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGTRAP that turn a fault of a user's kernel into
// an end of its run. They act on a thread that is in a guarded run which asks for it and whose
// frames are intact, and only where the faulting instruction lies in the kernel's own object, in
// one of C's functions that the kernel called directly and that can be left anywhere (memcpy,
// memset, ...), or where the kernel called an address without code. Everything else, also an abort
// (SIGABRT), goes to the handler that was there before; if there is none, a line tells whether
// kernels may be the cause. Signals belong to the process, so the handlers are global.

#include <signal.h>

namespace gpy::rt {

// The handlers are installed while any of these lives. When the last one goes, the previous ones
// are restored, unless somebody has installed another one since. Over such a handler ours is
// installed once more with the next one of these, at most four times in a process.
class FaultHandler {
 public:
  FaultHandler();
  ~FaultHandler();
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;
};

// While it lives the calling thread takes these signals, even if it had blocked them: the system
// ends a process whose fault is blocked. From then on it has a stack for handlers, so that it can
// report that its own is used up. The outermost one of a thread asks the system; those within cost
// nothing, so that whoever launches many kernels holds one.
class FaultSignalsUnblocked {
 public:
  explicit FaultSignalsUnblocked(bool wanted);
  ~FaultSignalsUnblocked();
  FaultSignalsUnblocked(const FaultSignalsUnblocked&) = delete;
  FaultSignalsUnblocked& operator=(const FaultSignalsUnblocked&) = delete;

 private:
  const bool wanted_;
  sigset_t before_;
  bool blocked_ = false;
};

}  // namespace gpy::rt
