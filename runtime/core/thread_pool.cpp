#include "runtime/core/thread_pool.h"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <exception>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/core/blocked_signals.h"
#include "runtime/core/environment.h"

namespace gpy::rt {

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

std::optional<int> wished_threads() {
  const std::string wish = environment_variable("GPY_NUM_THREADS");
  int threads = 0;
  const auto [end, error] = std::from_chars(wish.data(), wish.data() + wish.size(), threads);
  const bool whole = error == std::errc() && end == wish.data() + wish.size();
  return whole && threads > 0 ? std::optional(threads) : std::nullopt;
}

// One call of run(). `users` counts the workers inside it; it lives on the caller's stack, so the
// caller leaves only when the job is off the list and no worker uses it.
struct ThreadPool::Job {
  const Work* work = nullptr;
  int64_t count = 0;
  int64_t grain = 1;
  int64_t shares = 1;  // of what is left a piece is one, where that is more than the grain
  bool is_delayed = false;
  const std::atomic<bool>* interrupt = nullptr;
  std::atomic<int64_t> next{0};
  std::atomic<bool> failed{false};
  std::atomic<int> users = 0;  // changes under the pool's mutex
  std::condition_variable left;
  std::mutex error_mutex;
  std::exception_ptr error;

  int64_t piece_at(int64_t begin) const { return std::max(grain, (count - begin) / shares); }
  int64_t pieces_left() const {
    const int64_t begin = std::min(next.load(std::memory_order_relaxed), count);
    return (count - begin + piece_at(begin) - 1) / piece_at(begin);
  }
  // Where the next piece begins and ends; both are `count` when all are handed out.
  std::pair<int64_t, int64_t> take() {
    int64_t begin = next.load(std::memory_order_relaxed), end = count;
    do {
      if (begin >= count) return {count, count};
      end = std::min(begin + piece_at(begin), count);
    } while (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    return {begin, end};
  }

  void fail(std::exception_ptr what) {
    std::lock_guard lock(error_mutex);
    if (!error) error = std::move(what);
    failed = true;
  }
};

ThreadPool::ThreadPool(int threads, bool is_delayed)
    : threads_(threads > 0 ? threads : wished_threads().value_or(usable_cores())),
      is_delayed_(is_delayed) {}

ThreadPool::Workers::~Workers() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Threads are started when work is first shared: a program that never shares pays nothing. Where
// the system gives fewer, those that there are do the work, if need be the caller's alone. They
// block SIGINT, so that Ctrl-C reaches the thread that waits for input or runs the script at once.
void ThreadPool::Workers::start(int threads) {
  if (started_) return;
  const BlockedSignals for_threads{SIGINT};
  while (static_cast<int>(threads_.size()) < threads - 1) {
    try {
      threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      break;
    }
  }
  looks_out_ = threads <= usable_cores();
  started_ = true;
}

static void delay() {
  thread_local std::minstd_rand random(
      static_cast<unsigned>(std::hash<std::thread::id>()(std::this_thread::get_id())));
  if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 100));
}

void ThreadPool::work_on(Job& job) {
  InterruptScope scope(job.interrupt);
  try {
    while (!job.failed) {
      const auto [begin, end] = job.take();
      if (begin == end) return;
      poll_interrupt();
      if (job.is_delayed) delay();
      (*job.work)(begin, end);
    }
  } catch (...) {
    job.fail(std::current_exception());
  }
}

// Looks for a moment whether `is_there`: loops of a script often follow each other closely, and to
// put a thread to sleep and to wake it takes longer than many of them.
template <class IsThere> static void look_out(IsThere&& is_there) {
  constexpr std::chrono::microseconds kMoment(30);
  const auto end = std::chrono::steady_clock::now() + kMoment;
  do {
    for (int i = 0; i < 16; ++i) {
      if (is_there()) return;
      _mm_pause();
    }
  } while (std::chrono::steady_clock::now() < end);
}

void ThreadPool::Workers::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (looks_out_ && jobs_.empty() && !stop_) {
      ++looking_;
      lock.unlock();
      look_out([this] { return has_jobs_.load(std::memory_order_relaxed); });
      lock.lock();
      --looking_;
    }
    ++sleeping_;
    wake_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    --sleeping_;
    if (stop_) return;
    Job& job = *jobs_.front();
    ++job.users;
    const int sleeping = sleeping_;
    lock.unlock();
    wake_some(job, sleeping);
    work_on(job);
    lock.lock();
    drop(job);  // nothing is left to hand out
    if (--job.users == 0) job.left.notify_one();
  }
}

// Who begins wakes two more, as long as there is work: for one thread to wake all took as long as
// many loops.
void ThreadPool::Workers::wake_some(const Job& job, int sleeping) {
  const int64_t others = std::min<int64_t>({2, sleeping, job.pieces_left() - 1});
  for (int64_t i = 0; i < others; ++i) wake_.notify_one();
}

void ThreadPool::Workers::drop(Job& job) {
  std::erase(jobs_, &job);
  has_jobs_ = !jobs_.empty();
}

void ThreadPool::Workers::share(Job& job, int threads) {
  int asleep = 0;
  {
    std::lock_guard lock(mutex_);
    start(threads);
    jobs_.push_back(&job);
    has_jobs_ = true;
    if (looking_ == 0) asleep = sleeping_;
  }
  wake_some(job, asleep);
  work_on(job);
  {
    std::lock_guard lock(mutex_);
    drop(job);
  }
  if (looks_out_) look_out([&job] { return job.users.load(std::memory_order_relaxed) == 0; });
  std::unique_lock lock(mutex_);
  job.left.wait(lock, [&job] { return job.users == 0; });
}

// Four pieces a thread balance uneven cores and the load of other programs.
static constexpr int64_t kPieces = 4;

void ThreadPool::share(int64_t first, int64_t count, int64_t grain, const Work& work) {
  Job job;
  job.work = &work;
  job.next = first;
  job.count = count;
  job.grain = std::max<int64_t>(grain, 1);
  job.shares = kPieces * threads_;
  job.is_delayed = is_delayed_;
  job.interrupt = current_interrupt();
  if (threads_ == 1 || job.pieces_left() <= 1) {
    work_on(job);
  } else {
    workers_.get().share(job, threads_);
  }
  if (job.error) std::rethrow_exception(job.error);
}

void ThreadPool::run(int64_t count, int64_t grain, const Work& work) {
  const int64_t pieces = kPieces * threads_;
  share(0, count, std::max(grain, (count + pieces - 1) / pieces), work);
}

void ThreadPool::run_uneven(int64_t count, int64_t grain, const Work& work) {
  share(0, count, threads_ == 1 ? count : grain, work);
}

void ThreadPool::run_unknown(int64_t count, const Work& work) {
  if (threads_ == 1) return share(0, count, count, work);
  share(is_delayed_ ? 0 : begin_alone(count, work), count, 1, work);
}

// Returns how many items are done: those that are done in about the time that it takes to wake
// other threads.
int64_t ThreadPool::begin_alone(int64_t count, const Work& work) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::nanoseconds;
  constexpr nanoseconds kMoment(20'000);
  constexpr int64_t kGrowth = 8;  // a few cheap items say little about those that follow
  const Clock::time_point start = Clock::now();
  int64_t done = 0, piece = 1;
  while (done < count) {
    poll_interrupt();
    work(done, done + piece);
    done += piece;
    const nanoseconds taken = std::max(nanoseconds(Clock::now() - start), nanoseconds(1));
    if (taken >= kMoment) break;
    const int64_t fitting = (kMoment - taken) * done / taken;
    piece = std::min({std::max<int64_t>(fitting, 1), kGrowth * done, count - done});
  }
  return done;
}

}  // namespace gpy::rt
