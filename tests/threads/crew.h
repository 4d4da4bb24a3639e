#pragma once
// Threads of a test, their random choices, and the amount of their work.

#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace gpy::test::threads {

using Random = std::minstd_rand;

// `full` under GPY_TEST_LONG, which scripts/test --long sets; otherwise `few`, a part of them.
int64_t of_full(int64_t full, int64_t few);

// Threads that begin as they are started. Asserts belong to the thread that waits for them: a
// failure on another thread is a text, which `wait` gives.
class Crew {
 public:
  Crew() = default;
  ~Crew() { join(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Exceptions of `work` are told to `wait`.
  void start(std::function<void()> work);
  // May be called from any thread.
  void tell(std::string what);
  // Waits for all of them and gives the first few texts told; empty if all went well.
  std::string wait();

 private:
  void join();

  std::mutex mutex_;
  std::vector<std::string> told_;
  std::vector<std::thread> threads_;
};

}  // namespace gpy::test::threads
