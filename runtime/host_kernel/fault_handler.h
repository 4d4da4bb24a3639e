#pragma once

// Handlers of SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGTRAP that turn a fault of a user's kernel into
// an end of its run. They act on a thread that is in a guarded run which asks for it and whose
// frames are whole, and only where the faulting instruction lies in the kernel's own object, in one
// of C's functions that the kernel called directly and that can be left anywhere (memcpy, memset,
// ...), or where the kernel called what is no code. Everything else, an abort (SIGABRT) with it,
// goes to the handler that was there before; if there is none, a line tells what kernels may have
// to do with it. Signals belong to the process, so what is installed is global.

#include <signal.h>

namespace gpy::rt {

// Installed while any of these lives. When the last one goes, and nobody has installed another
// handler since, those of before are back. Over a handler that somebody has installed since ours
// goes once more with the next one of these, at most four times in a process.
class FaultHandler {
 public:
  FaultHandler();
  ~FaultHandler();
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;
};

// While it lives the calling thread takes these signals, also if it had blocked them: the system
// ends a process whose fault is blocked. From then on it has a stack for handlers, so that it can
// report that its own is used up.
class FaultSignalsUnblocked {
 public:
  explicit FaultSignalsUnblocked(bool wanted);
  ~FaultSignalsUnblocked();
  FaultSignalsUnblocked(const FaultSignalsUnblocked&) = delete;
  FaultSignalsUnblocked& operator=(const FaultSignalsUnblocked&) = delete;

 private:
  sigset_t before_;
  bool blocked_ = false;
};

}  // namespace gpy::rt
