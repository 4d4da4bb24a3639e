#pragma once

// The threads that share one backend's loops. A caller always works on its own job, so nested and
// concurrent calls cannot wait for each other; small work never leaves the caller's thread.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "runtime/core/interrupt.h"
#include "runtime/core/process.h"

namespace gpy::rt {

// Cores that this process may use.
int usable_cores();
// GPY_NUM_THREADS, where it holds a positive number.
std::optional<int> wished_threads();

class ThreadPool {
 public:
  // 0: one thread for each core this process may use. `is_delayed`: whatever can be shared is, and
  // each thread waits a moment now and then, so that pieces end in another order each time.
  explicit ThreadPool(int threads = 0, bool is_delayed = false);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }
  bool is_delayed() const { return is_delayed_; }

  // Calls work(begin, end) for pieces that cover [0, count), in any order, on several threads.
  // Pieces hold at least `grain` items. The first exception is thrown again here.
  using Work = std::function<void(int64_t begin, int64_t end)>;
  void run(int64_t count, int64_t grain, const Work& work);
  // The same for items that may cost far more than their neighbours: pieces get smaller towards the
  // end, down to the grain.
  void run_uneven(int64_t count, int64_t grain, const Work& work);
  // The same where all items may be too little to wake a thread for: the caller begins alone, and
  // what is left after a moment is shared.
  void run_unknown(int64_t count, const Work& work);

 private:
  struct Job;
  void share(int64_t first, int64_t count, int64_t grain, const Work& work);
  // The threads, and the jobs in progress.
  class Workers {
   public:
    ~Workers();
    // The caller takes part, and returns when nobody else uses the job any more.
    void share(Job& job, int threads);

   private:
    void start(int threads);
    void serve();
    void wake_some(const Job& job, int sleeping);
    void drop(Job& job);

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job*> jobs_;
    std::atomic<bool> has_jobs_ = false;  // as jobs_, for those that look without the mutex
    int looking_ = 0;                     // threads that will see the next job without being woken
    int sleeping_ = 0;
    bool looks_out_ = false;  // each thread has a core of its own to look on
    std::vector<std::thread> threads_;
    bool started_ = false;
    bool stop_ = false;
  };
  static void work_on(Job& job);
  static int64_t begin_alone(int64_t count, const Work& work);

  int threads_;
  bool is_delayed_;
  PerProcess<Workers> workers_;
};

}  // namespace gpy::rt
