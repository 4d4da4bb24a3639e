#pragma once

// Handlers of SIGSEGV, SIGBUS, SIGFPE and SIGILL that turn a fault of a user's kernel into an end
// of its run. They act on a thread that is in a guarded run which asks for it, and only where the
// faulting instruction lies in the kernel's own object, or in one of C's functions that the kernel
// called directly and that can be left anywhere (memcpy, memset, ...). Everything else goes to the
// handler that was there before. Signals belong to the process, so what is installed is global.

#include <memory>

namespace gpy::rt {

// Installed while any of these lives. When the last one goes, and nobody has installed another
// handler since, those of before are back.
class FaultHandler {
 public:
  FaultHandler();
  ~FaultHandler();
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;
};

// Gives the calling thread a stack for handlers, so that it can report that its own is used up.
// Does nothing where the thread has one.
void ensure_signal_stack();

}  // namespace gpy::rt
