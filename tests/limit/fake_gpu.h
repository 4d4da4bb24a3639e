#pragma once
// gpy on a driver that runs nothing.
#ifdef GPY_FAKE_CUDA

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/process.h"
#include "tests/fake_cuda/environment.h"

namespace gpy::test {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct FakeGpu {
  TemporaryFolder cache;

  FakeGpu() { REQUIRE(script("gp.eval(gp.arange(3) + 1)").err == ""); }

  Result run(std::vector<std::string> arguments, const std::string& input,
             const Environment& more = {}) const {
    Environment all = fake_gpu_environment(cache.path());
    all.insert(all.end(), {{"GPY_DEVICE", "cuda"}, {"XDG_STATE_HOME", "/proc/nowhere"}});
    all.insert(all.end(), more.begin(), more.end());  // which decides
    return run_gpy(std::move(arguments), {.input = input, .environment = std::move(all)});
  }
  Result script(const std::string& text, const Environment& more = {}) const {
    return run({"-c", text}, "", more);
  }
};

}  // namespace gpy::test

#endif
