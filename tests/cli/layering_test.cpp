// Includes go down only: the links of a floor say what it may include, and this test checks it too.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"runtime", {"runtime"}},
    {"grammar", {"grammar"}},
    {"src", {"runtime", "grammar", "src"}},
    {"stdlib", {"runtime", "grammar", "src", "stdlib"}},
};

// The name in an #include line, or nothing.
std::string included(const std::string& line) {
  size_t hash = line.find_first_not_of(" \t");
  if (hash == line.npos || line[hash] != '#') return "";
  size_t word = line.find("include", hash);
  size_t open = line.find_first_of("\"<", hash);
  size_t close = line.find_first_of("\">", open + 1);
  if (word == line.npos || open == line.npos || close == line.npos || word > open) return "";
  return line.substr(open + 1, close - open - 1);
}

bool is_source(const std::filesystem::path& path) {
  static const std::set<std::string> endings = {".h",   ".hpp", ".cpp", ".cu",
                                                ".cuh", ".inc", ".def"};
  return endings.contains(path.extension().string());
}

bool is_cuda_header(const std::string& name) {
  return name.starts_with("cuda") || name.starts_with("nvrtc") || name.starts_with("cublas") ||
         name.starts_with("cusolver") || name.starts_with("cufft") || name.starts_with("cub/") ||
         name.starts_with("cusparse") || name.starts_with("thrust/");
}

// The program and the library for hosts may include all floors: one file of each does.
bool is_product(const std::string& path) {
  return path.ends_with("/src/main.cpp") || path.ends_with("/src/embed/library.cpp");
}

// The reason why the file may not include `name`; empty: it may.
std::string objection(const std::string& floor, const std::string& path, const std::string& name) {
  size_t slash = name.find('/');
  std::string folder = slash == name.npos ? "" : name.substr(0, slash);
  if (kMayInclude.contains(folder) && !is_product(path) &&
      !kMayInclude.at(floor).contains(folder)) {
    return "goes up to " + folder;
  }
  if (name.starts_with("tao/") && floor != "grammar") return "PEGTL belongs to grammar";
  if (is_cuda_header(name) && path.find("runtime/cuda/") == path.npos) {
    return "CUDA belongs to runtime/cuda";
  }
  return "";
}

}  // namespace

TEST_CASE("includes go down only") {
  int files = 0;
  for (const auto& [floor, allowed] : kMayInclude) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_root() + "/" + floor)) {
      if (!is_source(entry.path())) continue;
      ++files;
      std::ifstream file(entry.path());
      std::string line;
      for (int number = 1; std::getline(file, line); ++number) {
        std::string name = included(line);
        std::string why = name.empty() ? "" : objection(floor, entry.path().string(), name);
        CHECK_MESSAGE(why.empty(), entry.path().string(), ":", number, ": ", name, " ", why);
      }
    }
  }
  CHECK(files > 50);
}

TEST_CASE("the grammar's public headers show nothing of the parser library") {
  for (const char* name : {"parse.h", "ast.h", "source.h"}) {
    std::ifstream file(source_root() + "/grammar/" + name);
    for (std::string line; std::getline(file, line);) {
      CHECK(!included(line).starts_with("tao/"));
      CHECK(line.find("pegtl::") == line.npos);
    }
  }
}

}  // namespace gpy::test
