// User kernels in a host: attribution of faults, and limits inside kernels.

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <string>

#include "src/embed/gpy.hpp"

namespace gpy::host {

namespace {

const std::string kKernels =
    "kernel raw wild(float* f) { f[1LL << 40] = 1; }\n"
    "kernel raw stops(float* f) { abort(); }\n"
    "kernel raw spin(int n) { while (n) { } }\n"
    "f = gp.zeros(8, dtype=gp.float32)\n";

// A kernel that calls a trap in memory that it made itself.
constexpr const char* kLeavesItsObject = R"(
import cupy
k = cupy.RawKernel("""#include <sys/mman.h>
extern "C" __global__ void k(float* y) {
  auto* p = (unsigned char*)mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  p[0] = 0xcc;
  p[1] = 0xc3;
  ((void (*)())p)();
}
""", "k")
k((1,), (1,), (gp.zeros(1, dtype=gp.float32),))
)";

// The end of a child process that runs `work`: its exit code, or 128 plus the signal.
template <class Work> int ends_with(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    for (int signal : {SIGSEGV, SIGABRT}) std::signal(signal, SIG_DFL);  // doctest sets handlers
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The text that `work` writes to standard error in a child process.
template <class Work> std::string said_by(Work work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  ends_with([&] {
    dup2(ends[1], STDERR_FILENO);
    work();
  });
  close(ends[1]);
  std::string text(1 << 10, '\0');
  text.resize(std::max<ssize_t>(read(ends[0], text.data(), text.size()), 0));
  close(ends[0]);
  return text;
}

std::string error_of(Interpreter& gpy, const std::string& source) {
  try {
    gpy.run(source);
  } catch (const Error& error) {
    return error.type();
  }
  return "";
}

volatile int* volatile nowhere = nullptr;

void on_own_fault(int) { _exit(42); }

struct sigaction found_by_chain;
void pass_on(int signal, siginfo_t* info, void* context) {
  found_by_chain.sa_sigaction(signal, info, context);
}

// Installs the host's own handler, which calls the previous one.
void install_chain() {
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &found_by_chain);
}

}  // namespace

TEST_CASE("a kernel's fault is the host's where its config does not ask for it") {
  const auto fault = [] {
    Interpreter gpy;
    gpy.run(kKernels + "wild[1, 1](f)");
  };
  CHECK(ends_with(fault) == 128 + SIGSEGV);
  CHECK(ends_with([&] {
          std::signal(SIGSEGV, on_own_fault);
          fault();
        }) == 42);
}

TEST_CASE("a host that asks gets an error, and its own handler its own faults") {
  const auto tries = [](bool faults_itself) {
    return ends_with([&] {
      std::signal(SIGSEGV, on_own_fault);
      Interpreter gpy({.catch_kernel_faults = true});
      gpy.run(kKernels);
      if (error_of(gpy, "wild[1, 1](f)") != "KernelFaultError") _exit(1);
      if (error_of(gpy, "assert 1 + 1 == 2") != "") _exit(2);
      if (faults_itself) *nowhere = 1;
    });
  };
  CHECK(tries(false) == 0);
  CHECK(tries(true) == 42);
}

TEST_CASE("the last interpreter that asked takes the handlers away, but not those put over them") {
  CHECK(ends_with([] {
          struct sigaction before {
          }, now{};
          sigaction(SIGSEGV, nullptr, &before);
          { const Interpreter gpy({.catch_kernel_faults = true}); }
          sigaction(SIGSEGV, nullptr, &now);
          if (now.sa_handler != before.sa_handler) _exit(1);
          {
            const Interpreter gpy({.catch_kernel_faults = true});
            std::signal(SIGSEGV, on_own_fault);
          }
          *nowhere = 1;
        }) == 42);
}

TEST_CASE("a handler put over gpy's does not keep faults from the next interpreter that asks") {
  for (const bool chains : {false, true}) {
    CHECK(ends_with([&] {
            std::signal(SIGSEGV, on_own_fault);
            for (int turn = 0; turn < 3; ++turn) {
              Interpreter gpy({.catch_kernel_faults = true});
              gpy.run(kKernels);
              if (error_of(gpy, "wild[1, 1](f)") != "KernelFaultError") _exit(1);
              if (turn == 0 && chains) install_chain();
              if (turn == 0 && !chains) std::signal(SIGSEGV, on_own_fault);
            }
            const Interpreter gpy({.catch_kernel_faults = true});
            *nowhere = 1;
          }) == 42);
  }
}

TEST_CASE("a default action is no handler, whatever flags it was stored with") {
  const auto raised_over = [](void (*action)(int)) {
    return ends_with([&] {
      struct sigaction before {};
      before.sa_handler = action;
      before.sa_flags = SA_SIGINFO;
      sigaction(SIGFPE, &before, nullptr);
      const Interpreter gpy({.catch_kernel_faults = true});
      raise(SIGFPE);
    });
  };
  CHECK(raised_over(SIG_DFL) == 128 + SIGFPE);
  CHECK(raised_over(SIG_IGN) == 0);
}

TEST_CASE(
    "a thread that blocks the signals of faults gets errors of kernels, and blocks them after") {
  CHECK(ends_with([] {
          Interpreter gpy({.catch_kernel_faults = true});
          gpy.run(kKernels);
          sigset_t all, after;
          sigfillset(&all);
          pthread_sigmask(SIG_SETMASK, &all, nullptr);
          if (error_of(gpy, "wild[1, 1](f)") != "KernelFaultError") _exit(1);
          pthread_sigmask(SIG_SETMASK, nullptr, &after);
          if (!sigismember(&after, SIGSEGV)) _exit(2);
        }) == 0);
}

TEST_CASE("of a fault that nobody asked for, nothing is said") {
  CHECK(said_by([] {
          const Interpreter asks({.catch_kernel_faults = true});
          Interpreter gpy;
          gpy.run(kKernels + "wild[1, 1](f)");
        }) == "");
}

TEST_CASE("a trap in code that is not the kernel's ends the process") {
  CHECK(ends_with([] {
          close(STDERR_FILENO);
          Interpreter gpy({.catch_kernel_faults = true});
          gpy.run(kLeavesItsObject);
        }) == 128 + SIGTRAP);
}

TEST_CASE("where no file can be opened, that is the error, and it is for once") {
  CHECK(ends_with([] {
          Interpreter gpy;
          gpy.run(kKernels);
          rlimit before;
          getrlimit(RLIMIT_NOFILE, &before);
          const rlimit none{3, before.rlim_max};
          setrlimit(RLIMIT_NOFILE, &none);
          if (error_of(gpy, "spin[1, 1](0)") != "OSError") _exit(1);
          setrlimit(RLIMIT_NOFILE, &before);
          if (error_of(gpy, "spin[1, 1](0)") != "") _exit(2);
        }) == 0);
}

TEST_CASE("a kernel that aborts or throws is an error in every host") {
  Interpreter gpy;
  gpy.run(kKernels);
  CHECK(error_of(gpy, "stops[1, 1](f)") == "KernelFaultError");
  CHECK(error_of(gpy, "f.sum()") == "");
}

TEST_CASE("limits and interrupts of a host end endless kernels") {
  Interpreter gpy;
  gpy.run(kKernels + "spin[1, 1](0)\n");
  gpy.limit({.seconds = 0.2});
  for (int turn = 0; turn < 3; ++turn) {
    try {
      gpy.run("try:\n    spin[1000, 32](1)\nexcept BaseException:\n    pass\n");
      FAIL_CHECK("it went on");
    } catch (const Error& error) {
      CHECK(error.type() == "Stopped");
      CHECK(error.stopped() == Stop::deadline);
    }
    gpy.run("spin[1000, 32](0)");
  }
}

TEST_CASE("what the runtime has to say goes where the host's errors go") {
  std::string told;
  Interpreter gpy({.err = [&](std::string_view text) { told += text; }});
  gpy.run(
      "kernel raw odd(int* k) {\n"
      "    asm volatile(\"/* nothing */\");\n"
      "    k[threadIdx.x] = 3;\n"
      "}\n"
      "k = gp.zeros(2, dtype=gp.int32)\n"
      "odd[1, 2](k)\n"
      "print(k[0])\n");
  CHECK(told.starts_with("gpy: warning: loops of kernel 'odd' cannot be interrupted"));
}

TEST_CASE("whoever is told may compile and launch the kernel that it is told of") {
  const std::pair<const char*, const char*> kernels[] = {
      {"kernel raw odd(int* k) { asm volatile(\"/* nothing */\"); k[0] += 1; }\n", "odd[1, 1](k)"},
      {"kernel elementwise odd(int32 x) -> (int32 y) {\n"
       "    asm volatile(\"/* nothing */\"); y = x + 1;\n}\n",
       "k += odd(gp.zeros(1, dtype=gp.int32))"},
      {"kernel reduction odd(int32 x) -> (int32 y) {\n"
       "    map: ({ asm volatile(\"/* nothing */\"); x; })\n    reduce: a + b\n    identity: "
       "0\n}\n",
       "k += odd(gp.ones(1, dtype=gp.int32))"},
  };
  for (const auto& [kernel, launch] : kernels) {
    CAPTURE(std::string(launch));
    int times = 0;
    std::function<void()> launch_again;
    Interpreter gpy({.device = "cpu", .err = [&](std::string_view) {
                       if (++times == 1) launch_again();
                     }});
    launch_again = [&, text = launch] { gpy.run(text); };
    gpy.run(std::string(kernel) + "k = gp.zeros(1, dtype=gp.int32)\n");
    gpy.run(launch);
    CHECK(times == 1);
    CHECK(error_of(gpy, "assert int(k[0]) == 2") == "");
  }
}

}  // namespace gpy::host
