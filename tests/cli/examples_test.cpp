// The examples print what their NumPy twins in tests/make print.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string test_device() {
  const char* device = std::getenv("GPY_TEST_DEVICE");
  return device ? device : "cpu";
}

}  // namespace

TEST_CASE("examples") {
  TemporaryFolder folder;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_root() + "/examples")) {
    if (entry.path().extension() != ".gpy") continue;
    std::string name = entry.path().stem().string();
    CAPTURE(name);
    Result result = run_gpy({"--device", test_device(), entry.path().string()},
                            {.folder = folder.path(), .seconds = 300});
    CHECK(result.code == 0);
    CHECK(result.out == read(source_root() + "/tests/cli/examples/" + name + ".txt"));
    if (result.code != 0) MESSAGE(result.err);
    ++count;
  }
  CHECK(count >= 4);
  CHECK(std::filesystem::exists(folder.path() + "/blurred.png"));
}

}  // namespace gpy::test
