#include "runtime/host_kernel/stop_watch.h"

#include <algorithm>
#include <system_error>

#include "runtime/core/blocked_signals.h"

namespace gpy::rt {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(2);
// The checks without a kernel to watch, before the thread sleeps: many short launches in a row wake
// it once.
constexpr int kIdlePolls = 25;

bool is_set(const std::atomic<bool>* flag) { return flag && flag->load(); }

}  // namespace

StopWatch::Watched::Watched(StopWatch& watch, std::atomic_ref<uint64_t> stop_word,
                            const std::atomic<bool>* interrupt, const std::atomic<bool>* failed)
    : watcher_(watch.watcher_.get()),
      stop_word_(stop_word),
      interrupt_(interrupt),
      failed_(failed) {
  watcher_.add(*this);
}

StopWatch::Watched::~Watched() { watcher_.remove(*this); }

void StopWatch::Watcher::add(Watched& watched) {
  const std::lock_guard lock(mutex_);
  start();  // first: what it throws leaves nobody in the list
  watched_.push_back(&watched);
}

// Another run of the same object that is asked to stop has the word set again at the next check.
void StopWatch::Watcher::remove(Watched& watched) {
  const std::lock_guard lock(mutex_);
  std::erase(watched_, &watched);
  if (watched.stop_word_.load() != 0) watched.stop_word_.store(0);
}

bool StopWatch::Watched::is_asked() const { return is_set(interrupt_) || is_set(failed_); }

StopWatch::Watcher::~Watcher() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

// If the system gives no thread, kernels cannot be interrupted; the next launch tries again.
void StopWatch::Watcher::start() {
  if (asleep_) wake_.notify_one();
  if (thread_.joinable()) return;
  const BlockedSignals for_thread{SIGINT};
  try {
    thread_ = std::thread([this] { look_now_and_then(); });
  } catch (const std::system_error&) {
  }
}

void StopWatch::Watcher::look_now_and_then() {
  std::unique_lock lock(mutex_);
  for (int idle = 0; !end_; idle = watched_.empty() ? idle + 1 : 0) {
    asleep_ = idle >= kIdlePolls;
    if (asleep_) wake_.wait(lock, [this] { return end_ || !watched_.empty(); });
    else wake_.wait_for(lock, kPollInterval, [this] { return end_; });
    asleep_ = false;
    pass_on();
  }
}

void StopWatch::Watcher::pass_on() {
  for (Watched* each : watched_) {
    if (each->is_asked()) each->stop_word_.store(~uint64_t{0});
  }
}

}  // namespace gpy::rt
