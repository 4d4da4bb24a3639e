// A backend is shared by interpreters on threads of their own: their counts add up.
#include <doctest/doctest.h>

#include <barrier>
#include <thread>

#include "runtime/cpu/cpu_backend.h"

namespace gpy::rt {

TEST_CASE("what two threads count adds up") {
  CpuBackend backend;
  constexpr uint64_t kTimes = 3000000;
  std::barrier both(2);
  auto work = [&] {
    both.arrive_and_wait();
    char from = 1, to = 0;
    for (uint64_t i = 0; i < kTimes; ++i) backend.upload(&to, &from, 1);
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(backend.counters.bytes_to_device == 2 * kTimes);
}

}  // namespace gpy::rt
