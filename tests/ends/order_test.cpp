// Handles of a host that end in any order, and handles that outlive their interpreters.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/embed/gpy.hpp"

namespace gpy::host {

namespace {

template <class Work> std::string error_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.type() + ": " + error.message();
  }
  return "";
}

struct Handles {
  std::optional<Interpreter> first, second;
  std::optional<Loan> loan;
  std::optional<Value> array, pending, object, lent;
  std::optional<Error> error;
  std::vector<double> memory = std::vector<double>(100, 1.0);

  Handles() {
    first.emplace();
    second.emplace(Options{.share_devices_with = &*first});
    second->run(
        "class D:\n    def __del__(self): self.x = [self]\n"
        "def g():\n    try:\n        yield 1\n    finally: last = gp.ones(3) * 2\n"
        "i = g(); next(i)");
    loan.emplace(second->lend({DType::float64, {100}, memory.data()}));
    lent = loan->value();
    second->set("lent", *lent);
    array = first->evaluate("gp.arange(3) * 2");
    pending = second->evaluate("lent * 3 + 1");
    object = second->evaluate("D()");
    try {
      second->run("raise ValueError(D())");
    } catch (const Error& caught) {
      error = caught;
    }
  }
  void end(int which) {
    switch (which) {
      case 0: return first.reset();
      case 1: return second.reset();
      case 2: loan.reset(); return std::fill(memory.begin(), memory.end(), -1.0);
      case 3: return array.reset();
      case 4: return pending.reset();
      case 5: return object.reset();
      case 6: return lent.reset();
      default: return error.reset();
    }
  }
};

}  // namespace

TEST_CASE("handles end in any order, and those that are left work") {
  std::vector<int> order = {0, 1, 2, 3, 4, 5, 6, 7};
  int turn = 0;
  do {
    if (turn++ % 97 != 0) continue;
    Handles handles;
    for (int which : order) {
      handles.end(which);
      if (handles.array) CHECK(handles.array->item(2).to_int() == 4);
      if (handles.pending) CHECK(handles.pending->item(99).to_double() == 4);
      if (handles.lent) CHECK(handles.lent->item(0).to_double() == 1);
      if (handles.object) CHECK(handles.object->type() == "D");
      if (handles.error) CHECK(handles.error->type() == "ValueError");
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("what was moved from or has ended says so") {
  Interpreter first;
  Interpreter second(std::move(first));
  const std::string moved = "ValueError: this host::Interpreter was moved from";
  CHECK(error_of([&] { first.run("1"); }) == moved);
  CHECK(error_of([&] { first.evaluate("1"); }) == moved);
  CHECK(error_of([&] { first.get("x"); }) == moved);
  CHECK(error_of([&] { first.make(1); }) == moved);
  CHECK(error_of([&] { first.make("text"); }) == moved);
  CHECK(error_of([&] { first.interrupt(); }) == moved);
  CHECK(error_of([&] { first.limit({}); }) == moved);
  CHECK(error_of([&] { first.define("f", {}); }) == moved);
  CHECK(error_of([&] { first.copy({DType::int8, {}, "x"}); }) == moved);
  CHECK(error_of([&] { Interpreter third(Options{.share_devices_with = &first}); }) == moved);
  CHECK(second.evaluate("1 + 1").to_int() == 2);

  Value value = second.make(1), other = std::move(value);
  CHECK(error_of([&] { value.to_int(); }) == "ValueError: this host::Value holds no value");
  CHECK(other.to_int() == 1);
  int number = 1;
  Loan loan = second.lend({DType::int32, {1}, &number});
  loan.end();
  loan.end();
  CHECK(error_of([&] { loan.value(); }) == "ValueError: the loan has ended");
}

TEST_CASE("an interpreter that runs on one thread is refused to another, and outlives its handle") {
  std::atomic<int> state{0};
  auto gpy = std::make_unique<Interpreter>();
  gpy->define("wait", [&](const std::vector<Value>&) {
    state = 1;
    while (state != 2) std::this_thread::yield();
    return Value();
  });
  Value value = gpy->evaluate("[1, 2]"), copy = value;
  gpy->run("class D:\n    def __del__(self): log.append(1)\nlog = []");
  Value object = gpy->evaluate("D()"), log = gpy->get("log");
  Interpreter* const handle = gpy.get();
  std::thread runner([handle] { handle->run("x = 1\nwait()\ny = 2"); });
  while (state != 1) std::this_thread::yield();
  const std::string refused = "RuntimeError: the interpreter is running on another thread";
  CHECK(error_of([&] { gpy->run("1"); }) == refused);
  CHECK(error_of([&] { value.to_text(); }) == refused);
  CHECK(error_of([&] { gpy->get("x"); }) == refused);
  object = Value();  // destroyed when the run has ended
  value = Value();
  gpy.reset();
  state = 2;
  runner.join();
  CHECK(copy.item(1).to_int() == 2);
  CHECK(log.repr() == "[1]");
}

TEST_CASE("a loan that ends under a run ends the run") {
  Interpreter gpy;
  std::vector<double> memory(1000, 1.0);
  std::optional<Loan> loan(gpy.lend({DType::float64, {1000}, memory.data()}));
  gpy.set("lent", loan->value());
  std::atomic<bool> begun{false};
  gpy.define("begin", [&](const std::vector<Value>&) { return begun = true, Value(); });
  std::string error;
  std::thread runner(
      [&] { error = error_of([&] { gpy.run("begin()\nwhile True: s = (lent * 2).sum()"); }); });
  while (!begun) std::this_thread::yield();
  loan.reset();
  std::fill(memory.begin(), memory.end(), -1.0);
  runner.join();
  CHECK(error == "Stopped: interrupted by the host");
  CHECK(gpy.evaluate("lent.sum()").to_double() == 1000);
}

TEST_CASE("a loan that has ended stops nobody") {
  Interpreter gpy;
  std::vector<double> memory(10, 1.0);
  std::atomic<bool> done{false};
  std::string stopped;
  std::thread runner([&] {
    while (!done) {
      const std::string error = error_of([&] { gpy.run("for i in range(300): pass"); });
      if (error.starts_with("Stopped")) stopped = error;
    }
  });
  for (int ended = 0; ended < 20000;) {
    error_of([&] {
      Loan loan = gpy.lend({DType::float64, {10}, memory.data()});
      while (error_of([&] { loan.end(); }) != "") {
      }
      ++ended;
    });
  }
  done = true;
  runner.join();
  CHECK(stopped == "");
}

TEST_CASE("a function of the host's may close the handle that runs it") {
  auto gpy = std::make_unique<Interpreter>();
  Value kept = gpy->evaluate("[]");
  gpy->define("close", [&](const std::vector<Value>&) { return gpy.reset(), Value(); });
  gpy->run("close()\nx = sum(range(10))\nprint(end='')");
  CHECK(!gpy);
  CHECK(kept.repr() == "[]");
}

}  // namespace gpy::host
