// The handles that a host has of an interpreter go from thread to thread; the interpreter itself is
// in use on one at a time.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>

#include "tests/threads/crew.h"
#include "tests/threads/device.h"

namespace gpy::test::threads {

namespace {

using host::Interpreter;

// A place where threads leave things for each other.
template <class T> class Exchange {
 public:
  // Gives the thing that was there until now.
  T swap(T thing) {
    const std::lock_guard lock(mutex_);
    std::swap(thing, thing_);
    return thing;
  }

 private:
  std::mutex mutex_;
  T thing_{};
};

const char* const kHolders =
    "ended = 0\n"
    "class Holder:\n"
    "    def __init__(self): self.next = [self.__class__]\n"
    "    def __del__(self):\n"
    "        global ended\n"
    "        ended += 1\n"
    "def fail():\n"
    "    holder = Holder()\n"
    "    raise ValueError(holder)\n";

std::exception_ptr make_error(Interpreter& gpy) {
  try {
    gpy.run("for i in range(20): pass\nfail()");
  } catch (const host::Error&) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

TEST_CASE("values and errors are let go on any thread while their interpreter runs") {
  const int64_t count = of_full(20'000, 300);
  Interpreter gpy(quiet("cpu"));
  gpy.run(kHolders);
  Exchange<std::exception_ptr> errors;
  Exchange<host::Value> values;
  std::atomic<bool> done = false;
  Crew crew;
  for (int i = 0; i < 3; ++i) {
    crew.start([&] {
      while (!done) {
        errors.swap(nullptr);
        const host::Value copy = values.swap({});
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
    });
  }
  for (int64_t i = 0; i < count; ++i) {
    errors.swap(make_error(gpy));
    values.swap(gpy.evaluate("Holder()"));
  }
  done = true;
  CHECK(crew.wait() == "");
  errors.swap(nullptr);
  values.swap({});
  CHECK(gpy.evaluate("ended").to_int() == 2 * count);
}

TEST_CASE("an interpreter that runs on a thread is refused to another") {
  Interpreter gpy(quiet("cpu"));
  const host::Value number = gpy.evaluate("6 * 7");
  std::atomic<bool> runs = false;
  gpy.define("begin", [&](const std::vector<host::Value>&) {
    runs = true;
    return host::Value();
  });
  Crew crew;
  crew.start([&] {
    try {
      gpy.run("begin()\nwhile True: pass");
    } catch (const host::Error& error) {
      if (error.stopped() != host::Stop::interrupt) throw;
    }
  });
  while (!runs) std::this_thread::yield();
  for (const std::function<void()>& use : std::initializer_list<std::function<void()>>{
           [&] { gpy.evaluate("1 + 1"); }, [&] { gpy.get("begin"); }, [&] { gpy.limit({}); },
           [&] { gpy.make(1.5); }, [&] { number.to_int(); }, [&] { number.repr(); }}) {
    CHECK_THROWS_WITH_AS(use(), "RuntimeError: the interpreter is running on another thread",
                         host::Error);
  }
  gpy.interrupt();
  CHECK(crew.wait() == "");
  CHECK(number.to_int() == 42);
}

}  // namespace gpy::test::threads
