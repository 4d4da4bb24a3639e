#include <doctest/doctest.h>

#include "runtime/kernel/compile_turn.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"

namespace gpy::rt {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Folder {
  Folder() {
    char name[] = "/tmp/gpy-turn-test-XXXXXX";
    path = mkdtemp(name);
    lock = path + "/lock";
  }
  ~Folder() { fs::remove_all(path); }
  std::string path, lock;
};

double seconds_of(auto&& call) {
  const auto start = Clock::now();
  call();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A process that takes the turn and sleeps; it has it once this is made.
struct Holder {
  explicit Holder(const std::string& lock) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid = fork();
    if (pid == 0) {
      const CompileTurn turn(lock, 10);
      (void)!write(ends[1], "x", 1);
      sleep(60);
      _exit(0);
    }
    char word;
    REQUIRE(read(ends[0], &word, 1) == 1);
    close(ends[0]);
    close(ends[1]);
  }
  void end() {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  pid_t pid;
};

}  // namespace

TEST_CASE("one has the turn, the next one after it, and the lock file goes") {
  Folder folder;
  {
    const CompileTurn one(folder.lock, 10);
    CHECK(one.is_held());
    CHECK_FALSE(CompileTurn(folder.lock, 0).is_held());
  }
  CHECK_FALSE(fs::exists(folder.lock));
  CHECK(CompileTurn(folder.lock, 0).is_held());
}

TEST_CASE("the wait for a turn is bounded") {
  Folder folder;
  const CompileTurn held(folder.lock, 10);
  const double seconds = seconds_of([&] { CHECK_FALSE(CompileTurn(folder.lock, 0.2).is_held()); });
  CHECK(seconds >= 0.2);
  CHECK(seconds < 10);
}

TEST_CASE("a process that is killed gives its turn back") {
  Folder folder;
  Holder holder(folder.lock);
  CHECK_FALSE(CompileTurn(folder.lock, 0).is_held());
  holder.end();
  CHECK(fs::exists(folder.lock));
  CHECK(CompileTurn(folder.lock, 0).is_held());
}

TEST_CASE("the wait for a turn can be interrupted, and leaves no file open") {
  Folder folder;
  const CompileTurn held(folder.lock, 10);
  const int next = dup(0);
  close(next);
  std::atomic<bool> interrupt{true};
  const InterruptScope scope(&interrupt);
  CHECK_THROWS_AS(CompileTurn(folder.lock, 10), Error);
  const int after = dup(0);
  close(after);
  CHECK(after == next);
}

TEST_CASE("a child of the holder's process keeps no turn") {
  Folder folder;
  pid_t child = 0;
  {
    const CompileTurn turn(folder.lock, 10);
    child = fork();
    if (child == 0) {
      sleep(60);
      _exit(0);
    }
  }
  CHECK(CompileTurn(folder.lock, 0).is_held());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_CASE("where there can be no lock, nobody is waited for") {
  for (const char* path : {"/proc/gpy/lock", "/dev/null/lock", "/no/such/folder/lock"}) {
    CHECK(seconds_of([&] { CHECK_FALSE(CompileTurn(path, 10).is_held()); }) < 5);
  }
}

TEST_CASE("no two of many have the turn at once") {
  Folder folder;
  struct Shared {
    std::atomic<int> inside{0}, done{0}, broken{0};
  };
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* shared = new (memory) Shared;
  constexpr int kProcesses = 4, kThreads = 2, kRounds = 20;
  const auto work = [&] {
    for (int i = 0; i < kRounds; ++i) {
      const CompileTurn turn(folder.lock, 60);
      if (!turn.is_held() || shared->inside++ != 0) ++shared->broken;
      std::this_thread::yield();
      --shared->inside;
      ++shared->done;
    }
  };
  for (int i = 0; i < kProcesses; ++i) {
    if (fork() != 0) continue;
    std::thread other(work);
    work();
    other.join();
    _exit(0);
  }
  for (int i = 0; i < kProcesses; ++i) wait(nullptr);
  CHECK(shared->done == kProcesses * kThreads * kRounds);
  CHECK(shared->broken == 0);
  CHECK_FALSE(fs::exists(folder.lock));
  munmap(memory, sizeof(Shared));
}

}  // namespace gpy::rt
