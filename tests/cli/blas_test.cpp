// Which BLAS is opened: as GPY_BLAS_PATH says, and what is next where that is none.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

Result run_with(const std::string& path, std::vector<std::string> arguments) {
  Run run;
  run.environment = {{"GPY_DEVICE", "cpu"}};
  if (!path.empty()) run.environment.push_back({"GPY_BLAS_PATH", path});
  return run_gpy(std::move(arguments), run);
}

// What `gpy info` says of it.
std::string blas_row(const std::string& path) {
  const Result result = run_with(path, {"info"});
  CHECK(result.code == 0);
  const size_t at = result.out.find("BLAS  ");
  REQUIRE(at != std::string::npos);
  return result.out.substr(at, result.out.find('\n', at) - at);
}

std::string fake_row(const std::string& file) {
  return "BLAS      OpenBLAS 9.9, Imaginary kernels, 3 threads (" + file + ")";
}

}  // namespace

TEST_CASE("GPY_BLAS_PATH names a library, or a folder that has one") {
  CHECK(blas_row(GPY_FAKE_BLAS) == fake_row(GPY_FAKE_BLAS));
  TemporaryFolder folder;
  const std::string file = folder.path() + "/libscipy_openblas.so";
  std::filesystem::create_symlink(GPY_FAKE_BLAS, file);
  CHECK(blas_row(folder.path()) == fake_row(file));
}

TEST_CASE("where GPY_BLAS_PATH names no BLAS, the search goes on") {
  TemporaryFolder folder;
  const std::string text = folder.write("libscipy_openblas.so", "this is no library");
  const std::string usual = blas_row("");
  CHECK(run_with("", {"info"}).out.find("GPY_BLAS_PATH") == std::string::npos);
  for (const std::string& path :
       {std::string("/nowhere"), std::string("libm.so.6"), text, folder.path()}) {
    CAPTURE(path);
    CHECK(blas_row(path) == usual);
    CHECK(run_with(path, {"info"}).out.find("GPY_BLAS_PATH, " + path + ", is no BLAS") !=
          std::string::npos);
    const Result product = run_with(path, {"-c",
                                           "import numpy as np\n"
                                           "print((np.ones((99, 99)) @ np.eye(99)).sum())"});
    CHECK(product.out == "9801.0\n");
    CHECK(product.err == "");
  }
}

}  // namespace gpy::test
