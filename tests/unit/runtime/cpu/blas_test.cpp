#include "runtime/cpu/blas.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace gpy::rt {

TEST_CASE("OpenBLAS is looked for where the user says, by the program, and in the system") {
  const std::vector<std::string> usual = openblas_files("");
  const std::vector<std::string> wished = openblas_files("/a/b");
  REQUIRE(wished.size() == usual.size() + 3);
  CHECK(wished[0] == "/a/b");
  CHECK(wished[1] == "/a/b/libscipy_openblas.so");
  CHECK(wished[2] == "/a/b/libopenblas.so.0");
  CHECK(std::equal(usual.begin(), usual.end(), wished.begin() + 3));
  CHECK(usual[0].ends_with("/lib/libscipy_openblas.so"));
  CHECK(usual[usual.size() - 2] == "libopenblas.so.0");
  CHECK(usual.back() == "libopenblas.so");
}

}  // namespace gpy::rt
