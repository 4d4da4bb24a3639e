// Processes that leave while gpy works: promptly, with their own status, and without output.

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/process.h"
#include "tests/ends/counts.h"
#include "tests/fake_cuda/environment.h"

namespace gpy::test {

namespace {

const char* const kWays[] = {"return", "exit",  "other thread", "quick_exit",
                             "_exit",  "throw", "signal"};
const char* const kOwners[] = {"main", "static", "value", "loan", "leaked", "thread"};
const char* const kWorks[] = {"loop",     "raise",     "small",    "arrays",   "product",
                              "svd",      "kernel",    "compile",  "launches", "pending",
                              "launched", "generator", "finalizer"};
const char* const kDeviceWorks[] = {"launches", "launched", "pending", "loop"};

template <size_t n> const char* any(const char* const (&names)[n], std::mt19937& random) {
  return names[random() % n];
}

int status_of(const std::string& way) { return way == "throw" ? 134 : way == "signal" ? 143 : 7; }

void leave(std::vector<std::string> how, const Run& run) {
  std::string words;
  for (const std::string& word : how) words += word + ' ';
  CAPTURE(words);
  const Result result = run_program(GPY_LEAVER, how, run);
  CHECK(!result.timed_out);
  CHECK(result.code == status_of(how[0]));
  CHECK(result.out == "");
  // The message of the C++ library for an exception that nobody catches.
  const bool spoke = how[0] == "throw" && result.err.starts_with("terminate called");
  CHECK_MESSAGE((spoke || result.err.empty()), result.err);
}

void leave_anyhow(std::mt19937& random, const char* work, const Run& run,
                  const std::string& device) {
  const double delay = static_cast<double>(random() % 1000) / (random() % 3 ? 100 : 20);
  const char* way = any(kWays, random);
  // NVRTC has a handler of its own while it compiles, which ends the process with status 4.
  if (device == "cuda" && way == std::string("signal")) way = "return";
  leave({way, work, any(kOwners, random), std::to_string(delay), device}, run);
}

}  // namespace

TEST_CASE("a process may end at any moment of work on the CPU") {
  TemporaryFolder cache;
  const Run run{.environment = {{"GPY_CACHE_DIR", cache.path()}}, .seconds = 20};
  std::mt19937 random(20261122);
  for (int i = 0; i < exits(); ++i) leave_anyhow(random, any(kWorks, random), run, "cpu");
}

TEST_CASE("each way to end, with a library's routine in flight and with code in finalizers") {
  const Run run{.seconds = 20};
  for (const char* way : kWays) {
    for (const char* owner : {"leaked", "static", "thread"})
      leave({way, "product", owner, "5"}, run);
    for (const char* owner : {"static", "value"}) leave({way, "finalizer", owner, "0"}, run);
  }
}

#ifdef GPY_FAKE_CUDA
TEST_CASE("a process may end at any moment of work on a device") {
  TemporaryFolder cache;
  const Run run{.environment = fake_gpu_environment(cache.path()), .seconds = 20};
  REQUIRE(run_gpy({"--device", "cuda", "-c", "gp.eval(gp.ones(3) + 1)"}, run).code == 0);
  std::mt19937 random(20261123);
  for (int i = 0; i < exits() / 4; ++i) {
    leave_anyhow(random, any(kDeviceWorks, random), run, "cuda");
  }
}
#endif

TEST_CASE("dlclose while gpy's threads live, and after work; opened again it works") {
  for (const char* how : {"keep", "close"}) {
    for (const char* plugin : {GPY_PLUGIN, GPY_STATIC_PLUGIN}) {
      CAPTURE(how);
      CAPTURE(plugin);
      const Result result = run_program(GPY_CLOSER, {plugin, how}, {.seconds = 60});
      CHECK(result.err == "");
      CHECK(result.out == "45\n45\n45\n");
      CHECK(result.code == 7);
    }
  }
}

}  // namespace gpy::test
