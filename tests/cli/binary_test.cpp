// build/gpy can be carried to any x86-64 Linux: it needs glibc alone at load, and is not too big.

#include <doctest/doctest.h>
#include <gnu/libc-version.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

// "Shared library: [libc.so.6]" -> libc.so.6, for every NEEDED entry.
std::set<std::string> needed_libraries(const std::string& dynamic_section) {
  std::set<std::string> names;
  std::istringstream lines(dynamic_section);
  for (std::string line; std::getline(lines, line);) {
    size_t open = line.find('['), close = line.find(']');
    if (line.find("(NEEDED)") != line.npos && open != line.npos && close != line.npos) {
      names.insert(line.substr(open + 1, close - open - 1));
    }
  }
  return names;
}

// The highest N of the GLIBC_2.N versions in the text.
int highest_glibc(const std::string& symbols) {
  int highest = 0;
  constexpr std::string_view kMark = "GLIBC_2.";
  for (size_t at = symbols.find(kMark); at != symbols.npos; at = symbols.find(kMark, at + 1)) {
    highest = std::max(highest, std::atoi(symbols.c_str() + at + kMark.size()));
  }
  return highest;
}

}  // namespace

TEST_CASE("the program needs glibc alone at load") {
  Result dynamic = run_program("readelf", {"-d", gpy_path()});
  REQUIRE(dynamic.code == 0);
  const std::set<std::string> glibc = {"libc.so.6",           "libm.so.6",  "libmvec.so.1",
                                       "libdl.so.2",          "librt.so.1", "libpthread.so.0",
                                       "ld-linux-x86-64.so.2"};
  for (const std::string& name : needed_libraries(dynamic.out)) {
    CAPTURE(name);
    CHECK(glibc.contains(name));
  }
  CHECK(needed_libraries(dynamic.out).contains("libc.so.6"));
}

TEST_CASE("no symbol is newer than glibc 2.36") {
  // A build with a newer glibc needs that one; releases are built with 2.36.
  int here = std::atoi(gnu_get_libc_version() + 2);
  Result symbols = run_program("readelf", {"-V", gpy_path()});
  REQUIRE(symbols.code == 0);
  CHECK(highest_glibc(symbols.out) >= 14);
  CHECK(highest_glibc(symbols.out) <= std::max(36, here));
}

TEST_CASE("stripped, the program has at most 60 MiB") {
  TemporaryFolder folder;
  std::string stripped = folder.path() + "/gpy";
  REQUIRE(run_program("strip", {"-o", stripped, gpy_path()}).code == 0);
  CHECK(std::filesystem::file_size(stripped) <= 60u << 20);
}

}  // namespace gpy::test
