// `interrupt`, and limits, whose time another thread watches, at any moment of any kind of work.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>

#include "tests/threads/crew.h"
#include "tests/threads/device.h"
#include "tests/threads/works.h"

namespace gpy::test::threads {

namespace {

using host::Interpreter;

constexpr int kWorkers = 8, kInterrupters = 4;

struct Tally {
  std::atomic<int64_t> runs{0}, interrupted{0}, limited{0};
};

// Runs works, in turn and within other limits each time.
class Worker {
 public:
  Worker(const host::Options& options, std::vector<Work> works, int number)
      : gpy_(options), works_(std::move(works)), turn_(number) {}

  // Runs each work once, so that kernels are compiled, which an interrupt would end.
  void warm_up() {
    for (const Work& work : works_) gpy_.run(work.source, work.name);
  }
  void run(Tally& tally);
  void interrupt() { gpy_.interrupt(); }
  bool answers() {
    gpy_.limit({});
    return gpy_.evaluate("1 + 1").to_int() == 2;
  }

 private:
  host::Limits next_limits() const;

  Interpreter gpy_;
  const std::vector<Work> works_;
  size_t turn_;
};

host::Limits Worker::next_limits() const {
  switch (turn_ % 5) {
    case 1: return {.seconds = 0.003};
    case 2: return {.steps = 2000};
    case 3: return {.memory = 1 << 20};
    case 4: return {.output = 500};
    default: return {};
  }
}

void Worker::run(Tally& tally) {
  const Work& work = works_[turn_ % works_.size()];
  ++tally.runs;
  try {
    gpy_.limit(next_limits());
    ++turn_;
    gpy_.run(work.source, work.name);
  } catch (const host::Error& error) {
    if (error.stopped() == host::Stop::none) throw;
    ++(error.stopped() == host::Stop::interrupt ? tally.interrupted : tally.limited);
  }
}

std::vector<Work> all_works(bool on_device) {
  std::vector<Work> works(cpu_works().begin(), cpu_works().end());
  if (on_device) works.assign(device_works().begin(), device_works().end());
  return works;
}

// Half of the workers share their devices with the first interpreter.
std::vector<std::unique_ptr<Worker>> make_workers(bool on_device) {
  const char* device = on_device ? "cuda" : "cpu";
  const Interpreter first(quiet(device));
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < kWorkers; ++i) {
    workers.push_back(
        std::make_unique<Worker>(quiet(device, i % 2 ? &first : nullptr), all_works(on_device), i));
  }
  return workers;
}

// Interrupts several times in a row, then pauses so that works get further.
void interrupt_at_random(std::vector<std::unique_ptr<Worker>>& workers, int64_t count, int seed) {
  constexpr int kMostInARow = 64, kLongestPause = 20'000;  // microseconds
  Random random(seed);
  while (count > 0) {
    for (int64_t row = 1 + random() % kMostInARow; row > 0 && count > 0; --row, --count) {
      workers[random() % workers.size()]->interrupt();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % kLongestPause));
  }
}

std::string warm_up(std::vector<std::unique_ptr<Worker>>& workers) {
  Crew crew;
  for (auto& worker : workers) crew.start([&] { worker->warm_up(); });
  return crew.wait();
}

void interrupt_works(bool on_device, int64_t interrupts) {
  auto workers = make_workers(on_device);
  REQUIRE(warm_up(workers) == "");
  Tally tally;
  std::atomic<int> interrupters = kInterrupters;
  Crew crew;
  for (auto& worker : workers) {
    crew.start([&] {
      while (interrupters > 0) worker->run(tally);
    });
  }
  for (int i = 0; i < kInterrupters; ++i) {
    crew.start([&, i] {
      interrupt_at_random(workers, interrupts / kInterrupters, i + 1);
      --interrupters;
    });
  }
  CHECK(crew.wait() == "");
  for (auto& worker : workers) CHECK(worker->answers());
  MESSAGE(interrupts, " interrupts, ", tally.runs.load(), " runs: ", tally.interrupted.load(),
          " interrupted, ", tally.limited.load(), " ended by a limit");
  CHECK(tally.interrupted > 0);
  CHECK(tally.limited > 0);
}

}  // namespace

TEST_CASE("interrupts from other threads at any moment of work on the CPU") {
  interrupt_works(false, of_full(700'000, 4'000));
}

TEST_CASE("interrupts from other threads at any moment of work on a device") {
  if (has_device()) interrupt_works(true, of_full(300'000, 4'000));
}

}  // namespace gpy::test::threads
