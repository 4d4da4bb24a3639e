// Limits of memory where several interpreters take theirs from one pool: each is held to its own.
#include <doctest/doctest.h>

#include <memory>

#include "tests/threads/crew.h"
#include "tests/threads/device.h"

namespace gpy::test::threads {

namespace {

using host::Interpreter;

constexpr int kHouseholds = 8;
constexpr size_t kLimit = 24 << 20;

// A script that takes a third of the limit, again and again.
const char* const kThrifty =
    "for i in range(6):\n"
    "    a = gp.arange(1 << 20, dtype=gp.float64) * i\n"
    "    gp.eval(a)\n"
    "a = None\n";
// A script that exceeds the limit, little by little.
const char* const kWasteful =
    "hoard = []\n"
    "while True:\n"
    "    hoard.append(gp.arange(1 << 15, dtype=gp.float64) + len(hoard))\n"
    "    gp.eval(hoard[-1])\n";

host::Stop run(Interpreter& gpy, const char* source) {
  try {
    gpy.run(source);
  } catch (const host::Error& error) {
    if (error.stopped() == host::Stop::none) throw;
    return error.stopped();
  }
  return host::Stop::none;
}

void keep_house(const Interpreter& devices, const char* device, int64_t rounds, bool is_thrifty) {
  for (int64_t round = 0; round < rounds; ++round) {
    Interpreter gpy(quiet(device, &devices));
    gpy.limit({.memory = kLimit});
    const host::Stop stop = run(gpy, is_thrifty ? kThrifty : kWasteful);
    if (stop != (is_thrifty ? host::Stop::none : host::Stop::memory)) {
      throw std::runtime_error(is_thrifty ? "held to another's limit" : "not held to its limit");
    }
    gpy.limit({});
    if (gpy.evaluate("1 + 1").to_int() != 2) throw std::runtime_error("1 + 1 is not 2");
  }
}

void keep_houses(const char* device) {
  Interpreter devices(quiet(device));
  devices.run("import cupy as cp\nused = cp.get_default_memory_pool().used_bytes\nbase = used()");
  Crew crew;
  for (int i = 0; i < kHouseholds; ++i) {
    crew.start([&, i] { keep_house(devices, device, of_full(200, 2), i % 2 == 0); });
  }
  CHECK(crew.wait() == "");
  CHECK(devices.evaluate("used() == base").to_bool());
}

}  // namespace

TEST_CASE("each interpreter is held to its own limit of memory on the CPU") { keep_houses("cpu"); }

TEST_CASE("each interpreter is held to its own limit of memory on a device") {
  if (has_device()) keep_houses("cuda");
}

}  // namespace gpy::test::threads
