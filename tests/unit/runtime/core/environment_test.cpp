#include "runtime/core/environment.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace gpy::rt {

TEST_CASE("a variable of the environment is set, read and unset") {
  CHECK(environment_variable("GPY_TEST_VARIABLE") == "");
  REQUIRE(set_environment_variable("GPY_TEST_VARIABLE", "some text"));
  CHECK(environment_variable("GPY_TEST_VARIABLE") == "some text");
  CHECK(std::ranges::count(environment(), "GPY_TEST_VARIABLE=some text") == 1);
  unset_environment_variable("GPY_TEST_VARIABLE");
  CHECK(environment_variable("GPY_TEST_VARIABLE") == "");
  CHECK(!set_environment_variable("a=b", "c"));
}

// The C library frees the old list of variables when it moves the list to grow it.
TEST_CASE("the environment may be read while another thread changes it") {
  const auto name = [](int i) { return "GPY_TEST_MANY_" + std::to_string(i); };
  const auto count = [] {
    return std::ranges::count_if(environment(), [](const std::string& entry) {
      return entry.starts_with("GPY_TEST_MANY_") && entry.ends_with("=x");
    });
  };
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; i < 1000; ++i) set_environment_variable(name(i).c_str(), "x");
    done = true;
  });
  for (std::ptrdiff_t before = 0; !done;) {
    const std::ptrdiff_t seen = count();
    CHECK(seen >= before);
    before = seen;
  }
  writer.join();
  CHECK(count() == 1000);
  for (int i = 0; i < 1000; ++i) unset_environment_variable(name(i).c_str());
  CHECK(count() == 0);
}

}  // namespace gpy::rt
