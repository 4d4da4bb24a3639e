#pragma once

// How what runs long is asked to stop.

#include <atomic>

namespace gpy::rt {

// While it lives, parallel loops started by this thread stop between pieces once `flag` is set and
// throw kInterrupt. Work that must not stop half-way is run without one.
class InterruptScope {
 public:
  explicit InterruptScope(const std::atomic<bool>* flag);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  const std::atomic<bool>* before_;
};

// Throws kInterrupt if this thread's flag is set.
void poll_interrupt();

// This thread's flag, for the threads that work for it; null if there is none.
const std::atomic<bool>* current_interrupt();

}  // namespace gpy::rt
