#pragma once
// A run that passes a limit, or that its host stops, is unwound: `except` does not catch that,
// `finally` blocks run within a grace of their own. The interpreter is good for another run.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/core/process.h"
#include "runtime/memory/account.h"
#include "src/memory/limits.h"

namespace gpy {

class Interpreter;

// Stops an interpreter when time is up, and again as long as it does not end.
class Alarm {
 public:
  Alarm(Interpreter& vm, double seconds);
  // Starts a thread for the same time in the child of a fork, where the first one does not exist.
  void go_on();

 private:
  using Time = std::chrono::steady_clock::time_point;
  class Watch {
   public:
    ~Watch();
    // Does nothing if the thread has been started.
    void start(Interpreter& vm, Time time);

   private:
    void wait(Interpreter& vm, Time time);

    std::mutex mutex_;
    std::condition_variable ended_;
    bool done_ = false;
    std::thread thread_;
  };

  Interpreter& vm_;
  const Time time_;
  rt::PerProcess<Watch> watch_;
};

// The limits of the run in progress, and what it has used.
class LoopWatch;

struct Budget {
  explicit Budget(Interpreter& vm);
  ~Budget() { arrays->close(); }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  Limits limits;  // of the last run
  int runs = 0;   // nested
  uint64_t last_step = 0;
  size_t written = 0;
  rt::MemoryAccount* const arrays;
  size_t elsewhere = 0;     // bytes that objects keep outside their blocks, when last measured
  size_t claimed = 0;       // since then; some of it may be in `elsewhere` by now
  uint64_t measure_at = 0;  // step
  std::unique_ptr<Alarm> alarm;

  StopReason stopping = StopReason::none;  // the reason for which the run is ended
  uint64_t grace_ends = 0;                 // step
  size_t grace_memory = 0;
  bool has_grace = true;
  bool at_once = false;  // the grace is over: finally blocks do not run either

  LoopWatch* watch = nullptr;  // null: no loops compile themselves
  // The steps that the limit leaves.
  uint64_t steps_left(uint64_t steps) const;
  // The step at which poll() is to look again.
  uint64_t next_look(uint64_t steps) const;
  uint64_t next_limit(uint64_t steps) const;
  void measure(Interpreter& vm);
  // Whether the values, and `more`, pass the limit.
  bool too_much(Interpreter& vm, size_t more);
  // Counts that much output; true if the limit is passed.
  bool too_long(size_t more);
  void stop(Interpreter& vm, StopReason reason);
  std::string explain(StopReason reason) const;

 private:
  size_t held(const Interpreter& vm) const;
};

}  // namespace gpy
