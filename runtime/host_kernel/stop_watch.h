#pragma once

// Passes an interrupt on to kernels that run on the CPU. Their loops test one word in their own
// object, which is what costs least; a thread sets it when somebody asks for it.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/core/process.h"

namespace gpy::rt {

class StopWatch {
 public:
  StopWatch() = default;
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

 private:
  class Watcher;

 public:
  // While it lives, `stop_word` is all ones soon after one of the flags is set. A flag may be null.
  class Watched {
   public:
    Watched(StopWatch& watch, std::atomic_ref<uint64_t> stop_word,
            const std::atomic<bool>* interrupt, const std::atomic<bool>* failed);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    friend class Watcher;
    bool is_asked() const;

    Watcher& watcher_;
    std::atomic_ref<uint64_t> stop_word_;
    const std::atomic<bool>* interrupt_;
    const std::atomic<bool>* failed_;
  };

 private:
  // The thread, and the runs that it watches.
  class Watcher {
   public:
    ~Watcher();
    void add(Watched& watched);
    void remove(Watched& watched);

   private:
    void start();
    void look_now_and_then();
    void pass_on();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<Watched*> watched_;
    bool asleep_ = false, end_ = false;
    std::thread thread_;
  };

  PerProcess<Watcher> watcher_;
};

}  // namespace gpy::rt
