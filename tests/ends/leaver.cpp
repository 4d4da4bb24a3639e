// A host that leaves while work is in flight.
//
//   leaver WAY WORK OWNER DELAY [DEVICE]
//
// WORK runs, and DELAY ms later the process leaves by WAY, with status 7 where it can choose. OWNER
// says whose the interpreter is. Anything but an end on request is reported on stderr.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gpy.hpp>

using namespace gpy::host;

namespace {

constexpr int kStatus = 7;

struct Work {
  const char* name;
  bool endless;
  const char* script;
};
constexpr Work kWorks[] = {
    {"loop", true, "while True: s = [str(i) for i in range(100)]"},
    {"raise", true, "while True:\n    try: raise ValueError(1)\n    except ValueError as e: pass"},
    {"small", true, "import numpy as np\na = np.ones(10)\nwhile True: a = a * 2 - a"},
    {"arrays", true,
     "import numpy as np\nwhile True: a = np.sort(np.arange(2000000.0) * 7 % 1001)"},
    {"product", true, "import numpy as np\na = np.ones((400, 400))\nwhile True: b = a @ a"},
    {"svd", true,
     "import numpy as np\na = np.random.rand(300, 300)\nwhile True: b = np.linalg.svd(a)"},
    {"kernel", true, "kernel raw spin(int n) { while (n) { } }\nspin[4, 32](1)"},
    {"compile", true,
     "import cupy as cp, time\nt = time.time_ns()\nwhile True:\n    t += 1\n"
     "    text = f'extern \"C\" __global__ void k(int n) {{ long x = {t}; }}'\n"
     "    cp.RawKernel(text, 'k')((1,), (1,), (1,))"},
    {"launches", true, "a = gp.arange(100000)\nwhile True: b = (a * 2 + 1).sum() + a; gp.eval(b)"},
    {"pending", false, "a = gp.arange(1000000.0) * 2 + 1"},
    {"launched", false, "a = gp.arange(100000) * 2 + 1; gp.eval(a); b = a - 1"},
    {"generator", false,
     "def g():\n    try:\n        while True: yield 1\n    finally: x = [2] * 3\n"
     "i = g(); next(i)"},
    {"finalizer", false,
     "import numpy as np\nclass D:\n    def __del__(self):\n"
     "        s = (np.ones(10) * 3).sum() + (np.ones(100000) * 3).sum()\n"
     "        t = np.ones((100, 100)) @ np.ones((100, 100))\n"
     "        u = str(gp.ones(5).sum() + s)\n"
     "d = D()"},
};

// Objects in static storage are destroyed after main, or at exit().
std::optional<Interpreter> owned;
std::optional<Loan> loan;
Value value;
float lent[1000];

std::atomic<bool> begun{false};

bool was_asked(const Error& error) {
  return error.stopped() == Stop::interrupt ||
         error.message().find("the process is ending") != std::string::npos;
}

void run(Interpreter& gpy, const Work& work) {
  gpy.define("begin", [](const std::vector<Value>&) { return begun = true, Value(); });
  try {
    // A GPU is open, and something has been compiled for it, once work counts as begun.
    gpy.run(std::string("gp.eval(gp.ones(3) + 1)\nbegin()\n") + work.script);
  } catch (const Error& error) {
    if (!was_asked(error)) std::fprintf(stderr, "%s\n", error.what());
  }
}

[[noreturn]] void wait_for_end() {
  while (true) pause();
}

void leave(const std::string& way) {
  if (way == "exit") std::exit(kStatus);
  if (way == "quick_exit") std::quick_exit(kStatus);
  if (way == "_exit") _exit(kStatus);
  if (way == "throw") throw std::runtime_error("nobody catches this");
  if (way == "signal") std::raise(SIGTERM);
}

Interpreter& make_interpreter(const std::string& owner, const Options& options,
                              std::optional<Interpreter>& local) {
  if (owner == "leaked") return *new Interpreter(options);
  return (owner == "main" || owner == "thread" ? local : owned).emplace(options);
}

void lend_memory() {
  loan.emplace(owned->lend_writable({DType::float32, {std::ssize(lent)}, lent}));
  owned->set("lent", loan->value());
  owned->run("y = lent * 2 + 1");
}

void start_thread(Interpreter& gpy, const Work& work, const std::string& owner,
                  const Options& options) {
  if (owner == "thread") {
    std::thread([options, &work] {
      Interpreter own(options);
      own.limit({.seconds = 100});
      run(own, work);
      wait_for_end();
    }).detach();
  } else {
    std::thread([&gpy, &work] {
      run(gpy, work);
      wait_for_end();
    }).detach();
  }
}

}  // namespace

int main(int, char** arguments) {
  const std::string way = arguments[1], owner = arguments[3];
  const Work& work = *std::ranges::find(kWorks, std::string(arguments[2]), &Work::name);
  const auto delay = std::chrono::duration<double, std::milli>(std::atof(arguments[4]));
  const Options options{.device = arguments[5] ? arguments[5] : "cpu"};
  const auto wait = [&] {
    while (!begun) std::this_thread::yield();
    std::this_thread::sleep_for(delay);
  };

  std::optional<Interpreter> local;
  Interpreter& gpy = make_interpreter(owner, options, local);
  if (owner == "loan") lend_memory();
  if (owner == "value") value = owned->evaluate("[gp.ones(10) * 2]");
  if (way == "other thread") {
    std::thread([&] {
      wait();
      std::exit(kStatus);
    }).detach();
    run(gpy, work);
    wait_for_end();
  }
  if (work.endless) {
    start_thread(gpy, work, owner, options);
  } else {
    run(gpy, work);
    if (owner == "value") owned.reset();
  }
  wait();
  leave(way);
  return kStatus;
}
