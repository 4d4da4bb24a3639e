#include "tests/threads/crew.h"

#include <cstdlib>
#include <exception>

namespace gpy::test::threads {

int64_t of_full(int64_t full, int64_t few) {
  const char* asked = std::getenv("GPY_TEST_LONG");
  return asked && *asked ? full : few;
}

void Crew::start(std::function<void()> work) {
  threads_.emplace_back([this, work = std::move(work)] {
    try {
      work();
    } catch (const std::exception& error) {
      tell(error.what());
    }
  });
}

void Crew::tell(std::string what) {
  const std::lock_guard lock(mutex_);
  told_.push_back(std::move(what));
}

std::string Crew::wait() {
  join();
  constexpr size_t kMost = 5;
  std::string text;
  for (size_t i = 0; i < told_.size() && i < kMost; ++i) text += told_[i] + '\n';
  if (told_.size() > kMost) text += "... " + std::to_string(told_.size()) + " in all\n";
  return text;
}

void Crew::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace gpy::test::threads
