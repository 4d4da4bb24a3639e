#pragma once

#include <signal.h>

#include <initializer_list>

namespace gpy::rt {

// While it lives, these signals are blocked in this thread and in the threads that it starts.
class BlockedSignals {
 public:
  BlockedSignals(std::initializer_list<int> blocked) {
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : blocked) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  // The thread's signal mask as it was.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

}  // namespace gpy::rt
