#include "runtime/cpu/roomy_stack.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"

namespace gpy::rt {

namespace {

// Touches that much of the stack.
void use(size_t bytes) {
  volatile char room[1 << 16];
  room[0] = static_cast<char>(bytes);
  if (bytes > sizeof room) use(bytes - sizeof room);
  room[sizeof room - 1] = room[0];
}

}  // namespace

TEST_CASE("work that needs little stack stays where it is") {
  std::thread::id where;
  with_stack(1 << 16, [&] { where = std::this_thread::get_id(); });
  CHECK(where == std::this_thread::get_id());
}

TEST_CASE("work that needs much stack gets it, and what it throws is thrown here") {
  constexpr size_t kMuch = size_t{64} << 20;
  bool done = false;
  with_stack(kMuch, [&] {
    use(kMuch - (1 << 18));
    done = true;
  });
  CHECK(done);
  CHECK_THROWS_WITH(with_stack(kMuch, [] { fail(ErrorKind::kValue, "no such thing"); }),
                    "no such thing");
}

TEST_CASE("a stop reaches work on a thread of its own") {
  std::atomic<bool> flag{true};
  const InterruptScope scope(&flag);
  CHECK_THROWS_WITH(with_stack(size_t{64} << 20, [] { poll_interrupt(); }), "interrupted");
}

TEST_CASE("stack that nobody has is an error of memory") {
  try {
    with_stack(size_t{1} << 47, [] {});  // as much as a process can address
    FAIL("128 TiB of stack");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kMemory);
    CHECK(error.message().find("128. TiB of stack") != std::string::npos);
  }
}

}  // namespace gpy::rt
