// The limits of a host: attacks on them, and code of scripts that runs outside of a run.

#include "tests/api/budget_attacks.h"

#include <doctest/doctest.h>
#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/embed/gpy.hpp"

namespace gpy::host {

namespace {

using Clock = std::chrono::steady_clock;

// Interrupts a run that no limit ends, so that it fails instead of hanging.
class Rescue {
 public:
  explicit Rescue(Interpreter& gpy)
      : thread_([this, &gpy] {
          std::unique_lock lock(mutex_);
          while (!ended_.wait_for(lock, std::chrono::seconds(60), [this] { return done_; })) {
            gpy.interrupt();
          }
        }) {}
  ~Rescue() {
    {
      std::lock_guard lock(mutex_);
      done_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

Limits limits_for(Stop stop) {
  switch (stop) {
    case Stop::deadline: return {.seconds = 0.05};
    case Stop::steps: return {.steps = 100'000};
    case Stop::memory: return {.memory = 64 << 20};
    case Stop::output: return {.output = 1 << 16};
    default: return {};
  }
}

struct End {
  Stop stop = Stop::none;
  std::string error;  // its type and message
};

End run_with_rescue(Interpreter& gpy, const std::string& source) {
  const Rescue rescue(gpy);
  try {
    gpy.run(source);
  } catch (const Error& error) {
    return {error.stopped(), error.type() + ": " + error.message()};
  }
  return {};
}

void silence(std::string_view) {}

// A field of /proc/self/status, in bytes: this process's memory.
size_t memory_now(const char* name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    size_t kilobytes = 0;
    if (word == name && status >> kilobytes) return kilobytes << 10;
  }
  return 0;
}

// The most that the process has grown since this was made.
class Growth {
 public:
  Growth() {
    std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak to the current size
    before_ = memory_now("VmHWM:");
    REQUIRE(before_ > 0);
    REQUIRE(before_ <= memory_now("VmRSS:") + (1 << 20));
  }
  size_t most() const { return std::max(memory_now("VmHWM:"), before_) - before_; }

 private:
  size_t before_;
};

// The most memory that a run stopped by its memory limit may take, as a multiple of the limit. The
// limit is on live memory and on each block before it is allocated. On top of that come the old
// blocks of growing containers, sources of copies, and memory that malloc and the pool still hold.
constexpr size_t kMostOfLimit = 3;

// A destructor that loops: only the short time that destructors have ends it.
const char* const kEndless =
    "class Last:\n"
    "    def __del__(self):\n"
    "        while True: pass\n"
    "def waiting():\n"
    "    try: yield 1\n"
    "    finally:\n"
    "        while True: pass\n";

bool is_soon(Clock::time_point begun) { return Clock::now() - begun < std::chrono::seconds(20); }

}  // namespace

TEST_CASE("attacks on limits end as stopped, and the interpreter is good for another run") {
  for (const Attack& attack : kAttacks) {
    const std::string source = attack.source;
    CAPTURE(source);
    Interpreter gpy({.out = silence, .err = silence});
    gpy.run(kBeforeAttack);
    const Limits limits = limits_for(attack.expected);
    gpy.limit(limits);
    const Growth growth;
    const End end = run_with_rescue(gpy, source);
    const size_t grown = growth.most();
    CAPTURE(end.error);
    CHECK(end.stop == attack.expected);
    if (attack.expected == Stop::memory)
      CHECK((grown >> 20) <= kMostOfLimit * (limits.memory >> 20));
    gpy.limit({});
    gpy.run("x = y = g = None");
    CHECK(gpy.evaluate("1 + 1").to_int() == 2);
  }
}

// The processor time of this thread.
double thread_seconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The time that a run computes after its limit.
double lateness(Interpreter& gpy, const Attack& attack, double seconds) {
  clockid_t clock;
  pthread_getcpuclockid(pthread_self(), &clock);
  double at_limit = 0;
  std::thread watch([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    at_limit = thread_seconds(clock);
  });
  gpy.limit({.seconds = seconds});
  run_with_rescue(gpy, attack.source);
  const double ended = thread_seconds(clock);
  watch.join();
  return std::max(ended - at_limit, 0.0);
}

// Prints a table for people (api_tests --no-skip).
TEST_CASE("how late deadlines are kept" * doctest::skip()) {
  std::vector<std::pair<double, const char*>> late;
  for (const Attack& attack : kAttacks) {
    if (attack.expected != Stop::deadline) continue;
    Interpreter gpy({.out = silence, .err = silence});
    gpy.run(kBeforeAttack);
    for (const double seconds : {0.05, 0.07, 0.09, 0.11, 0.13}) {
      late.emplace_back(lateness(gpy, attack, seconds), attack.source);
    }
  }
  std::sort(late.begin(), late.end());
  auto in_ms = [](double seconds) { return std::to_string(std::lround(1e3 * seconds)) + " ms"; };
  for (const double part : {0.5, 0.9, 0.95, 0.99}) {
    const auto place = static_cast<size_t>(part * static_cast<double>(late.size()));
    MESSAGE(part, " of the runs: within ", in_ms(late[place].first));
  }
  for (const auto& [seconds, source] : late) {
    if (seconds > 0.02) MESSAGE(in_ms(seconds), ": ", std::string(source));
  }
}

TEST_CASE("arrays count as memory as long as they live") {
  Interpreter gpy;
  gpy.run("import numpy as np");
  gpy.limit({.memory = 64 << 20});
  CHECK(run_with_rescue(gpy, "x = np.full(10 ** 6, 1.0)\nx[0] = 2\n").stop == Stop::none);
  CHECK(run_with_rescue(gpy, "y = np.full(7 * 10 ** 6, 1.0)\ny[0] = 2\n").stop == Stop::none);
  CHECK(run_with_rescue(gpy, "z = np.full(10 ** 6, 1.0)\nz[0] = 2\n").stop == Stop::memory);
  CHECK(run_with_rescue(gpy, "y = None\nz = np.full(10 ** 6, 1.0)\nz[0] = 2\n").stop == Stop::none);
  CHECK(run_with_rescue(gpy, "for i in range(100): x = np.ones(10 ** 6) + i\n").stop == Stop::none);
}

TEST_CASE("frames count as memory with the constants that they hold") {
  std::string source = "def waiting():\n";
  for (int i = 0; i < 10'000; ++i) source += "    x = " + std::to_string(i) + ".5\n";
  Interpreter gpy;
  gpy.run(source + "    yield\n");
  gpy.limit({.memory = 64 << 20});
  CHECK(run_with_rescue(gpy, "x = [waiting() for i in range(1000)]").stop == Stop::memory);
}

TEST_CASE("frames that calls left behind are not held beside the limit") {
  std::string source = "import sys\nsys.setrecursionlimit(10 ** 9)\n", calls;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "f" + std::to_string(i);
    source += "def " + name + "(n):\n    if n: " + name + "(n - 1)\n";
    calls += name + "(200_000)\n";
  }
  Interpreter gpy;
  gpy.run(source);
  constexpr size_t kLimit = 64 << 20;
  gpy.limit({.memory = kLimit});
  const Growth growth;
  CHECK(run_with_rescue(gpy, calls).stop == Stop::none);
  CHECK((growth.most() >> 20) <= kMostOfLimit * (kLimit >> 20));
}

TEST_CASE("what a host lends costs nothing, and what another interpreter holds neither") {
  Interpreter gpy, other({.share_devices_with = &gpy});
  std::vector<double> numbers(20'000'000, 1.0);
  gpy.run("import numpy as np");
  gpy.limit({.memory = 64 << 20});
  Loan loan = gpy.lend({DType::float64, {std::ssize(numbers)}, numbers.data()});
  gpy.set("x", loan.value());
  CHECK(gpy.evaluate("float(x.sum())").to_double() == 2e7);
  other.run("import numpy as np\ny = np.full(10 ** 7, 1.0)\ny[0] = 2");
  CHECK(run_with_rescue(gpy, "z = np.full(10 ** 6, 1.0)\nz[0] = 2").stop == Stop::none);
}

TEST_CASE("text that a host makes is held by the limit on memory") {
  Interpreter gpy;
  gpy.limit({.memory = 16 << 20});
  const std::string text(64 << 20, 'x');
  const Growth growth;
  try {
    gpy.make(text);
    FAIL("it took 64 MiB");
  } catch (const Error& error) {
    CHECK(error.stopped() == Stop::memory);
  }
  CHECK((growth.most() >> 20) < 16);
  std::vector<Value> held;
  try {
    for (int i = 0; i < 10'000; ++i) held.push_back(gpy.make(std::string(10'000, 'y')));
    FAIL("it took 100 MB");
  } catch (const Error& error) {
    CHECK(error.stopped() == Stop::memory);
  }
  CHECK(held.size() > 1000);
  held.clear();
  CHECK(gpy.make("text").to_text() == "text");
}

TEST_CASE("memory that one interpreter gave back is free for another's use") {
  Interpreter gpy, other({.share_devices_with = &gpy});
  for (Interpreter* each : {&gpy, &other, &gpy}) {
    each->run("import numpy as np");
    each->limit({.memory = 64 << 20});
    CHECK(run_with_rescue(*each, "x = np.ones(5 * 10 ** 6) * 2\nx[0] = 1\nx = None").stop ==
          Stop::none);
  }
}

TEST_CASE("what a host asks for after a run is computed within the limits") {
  Interpreter gpy;
  gpy.run("import numpy as np\nx = np.ones(10 ** 4)\ny = np.exp(x[:, None] * x)\nsmall = x + 1");
  gpy.limit({.memory = 64 << 20});
  const Value pending = gpy.get("y");
  try {
    pending.to_elements();
    FAIL("it took 800 MB");
  } catch (const Error& error) {
    CHECK(error.stopped() == Stop::memory);
  }
  CHECK(gpy.get("small").to_elements().data.size() == 80000);
  gpy.limit({});
  gpy.run("x = np.ones(3 * 10 ** 5)\ny = np.exp(x[:, None] * x * -1e-9).sum()");
  gpy.limit({.seconds = 0.05});
  for (auto ask : {+[](const Value& v) { v.to_double(); }, +[](const Value& v) { v.repr(); },
                   +[](const Value& v) { v.to_elements(); }}) {
    try {
      ask(gpy.get("y"));
      FAIL("it took a minute");
    } catch (const Error& error) {
      CHECK(error.stopped() == Stop::deadline);
    }
  }
}

TEST_CASE("a pending result that reads lent memory does not hold a stopped run up") {
  Interpreter gpy;
  std::vector<double> numbers(300'000, 1.0);
  Loan loan = gpy.lend({DType::float64, {std::ssize(numbers)}, numbers.data()});
  gpy.run("import numpy as np");
  gpy.set("x", loan.value());
  gpy.limit({.seconds = 0.05});
  const auto begun = Clock::now();
  const End end =
      run_with_rescue(gpy, "y = np.exp(x[:, None] * x * 0).sum()\nz = x + 1\nwhile True: pass");
  CHECK(end.stop == Stop::deadline);
  CHECK(is_soon(begun));
  numbers[0] = 5;  // pending work must not see this
  gpy.limit({});
  CHECK(gpy.evaluate("float(z[0])").to_double() == 2);
  CHECK(gpy.evaluate("float(x[0])").to_double() == 5);
}

TEST_CASE("an error that cannot be told is told without its text") {
  for (const Limits& limits : {Limits{}, Limits{.steps = 10'000'000}, Limits{.seconds = 5}}) {
    Interpreter gpy;
    gpy.limit(limits);
    const auto begun = Clock::now();
    try {
      gpy.run(
          "class Bad(Exception):\n"
          "    def __str__(self):\n"
          "        while True: pass\n"
          "    __repr__ = __str__\n"
          "raise Bad(1)");
      FAIL("it raised nothing");
    } catch (const Error& error) {
      CHECK(error.type() == "Bad");
      CHECK(error.message() == "<exception str() failed>");
      CHECK(error.stopped() == Stop::none);
    }
    CHECK(is_soon(begun));
  }
}

TEST_CASE("an error whose text is too large is told by a part of it, or by why there is none") {
  Interpreter gpy;
  const auto message = [&](const std::string& source) -> std::string {
    try {
      gpy.run(source);
    } catch (const Error& error) {
      CHECK(std::string(error.what()).size() < (4 << 20));
      return error.message();
    }
    return "it raised nothing";
  };
  const std::string cut = message("raise ValueError('x' * 10 ** 8)");
  CHECK(cut.substr(1 << 20) == "... [98951424 bytes more]");
  const std::string characters = message("raise ValueError('\u20ac' * 10 ** 6)");
  CHECK(characters.size() < (1 << 20) + 30);
  CHECK(characters.ends_with("\u20ac... [1951425 bytes more]"));
  message("e = ValueError('x')\nfor i in range(100): e.add_note('y' * 10 ** 6)\nraise e");
  message("raise type('C' * 10 ** 7, (Exception,), {})('x')");
  gpy.run("e = None");
  gpy.limit({.memory = 64 << 20});
  CHECK(message("raise ValueError('x' * 5 * 10 ** 7)") ==
        "<exception str() needed too much memory>");
}

TEST_CASE("what fails while a stopped run ends hides neither the limit nor the place") {
  for (const std::string ending :
       {"except undefined: pass", "except (1 / 0): pass", "except 5: pass", "finally: 1 / 0",
        "finally: raise ValueError('x') from None"}) {
    CAPTURE(ending);
    Interpreter gpy;
    gpy.limit({.memory = 64 << 20});
    try {
      gpy.run("x = 1\ntry: x = [0] * 10 ** 9\n" + ending);
      FAIL_CHECK("it took 8 GB");
    } catch (const Error& error) {
      CHECK(error.stopped() == Stop::memory);
      CHECK(error.line() == 2);
      CHECK(error.message() == "held more than 67108864 bytes");
    }
  }
}

TEST_CASE("a destructor that loops does not hold up who lets a value go") {
  const auto begun = Clock::now();
  Interpreter gpy({.out = silence, .err = silence});
  gpy.run(kEndless);
  {
    const Value last = gpy.evaluate("Last()");
    gpy.run("g = waiting()\nnext(g)");
  }
  gpy.run("x = Last()");
  gpy.limit({.steps = 1000});
  try {
    gpy.set("x", gpy.make(1));
  } catch (const Error& error) {
    CHECK(error.stopped() == Stop::steps);
  }
  CHECK(gpy.evaluate("x").to_int() == 1);
  CHECK(is_soon(begun));
}

TEST_CASE("an interpreter whose script loops in destructors comes to its end") {
  for (const std::string source :
       {"x = Last()", "x = [Last() for i in range(10000)]", "x = waiting()\nnext(x)",
        "x = [waiting() for i in range(1000)]\nfor i in x: next(i)", "x = [Last()]\nx.append(x)",
        "x = {}\nx[0] = x, Last(), waiting()\nnext(x[0][2])",
        "class Again:\n    def __del__(self): Again()\nx = Again()",
        "import time\nclass Sleeper:\n    def __del__(self): time.sleep(1000)\n"
        "x = [Sleeper() for i in range(100)]",
        "import time\nclass Waiter:\n    def __del__(self):\n        x = None\n"
        "        for i in range(40000): x = [x]\n        time.sleep(1000)\nx = Waiter()",
        "class Keeper:\n    kept = []\n    def __del__(self): Keeper.kept.append(self)\n"
        "x = [Keeper() for i in range(100)]"}) {
    CAPTURE(source);
    const auto begun = Clock::now();
    {
      Interpreter gpy({.out = silence, .err = silence});
      gpy.run(kEndless + source);
    }
    CHECK(is_soon(begun));
  }
}

}  // namespace gpy::host
