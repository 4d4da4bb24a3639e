#pragma once

// Requests to stop long-running work.

#include <algorithm>
#include <atomic>
#include <cstdint>

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

// The number of polls of this thread so far: tests measure the work between two.
uint64_t interrupt_polls();

// Calls f(i) for each of 0 .. count-1; polls this thread's flag now and then.
template <class F> void for_each_polled(int64_t count, F&& f) {
  constexpr int64_t kPiece = 1 << 14;
  for (int64_t from = 0; from < count; from += kPiece) {
    poll_interrupt();
    for (int64_t i = from, to = std::min(count, from + kPiece); i < to; ++i) f(i);
  }
}

// This thread's flag, for the threads that work for it; null if there is none.
const std::atomic<bool>* current_interrupt();

}  // namespace gpy::rt
