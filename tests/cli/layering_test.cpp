// Includes go down only: the links of a floor say what it may include, and this test checks it too.
// The tables of runtime/README.md say what a folder of runtime/ may include; they are read here.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

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

// use(path, number of the line, what it includes) for each include of a floor's files; gives how
// many files there are.
template <class Use> int for_includes(const std::string& floor, Use&& use) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(source_root() + "/" + floor)) {
    if (!is_source(entry.path())) continue;
    ++files;
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      const std::string name = included(line);
      if (!name.empty()) use(entry.path().string(), number, name);
    }
  }
  return files;
}

// A folder of runtime/, or a file beside them.
struct Part {
  std::string name;
  std::vector<std::string> below;  // what it includes of the parts before it: parts, or headers
  std::vector<std::string> above;  // and of those after it
};

// "| `core` `text` |": core, text.
std::vector<std::string> names_in(std::string_view cell) {
  std::vector<std::string> all;
  for (size_t open = cell.find('`'); open != cell.npos; open = cell.find('`', open)) {
    const size_t close = cell.find('`', open + 1);
    REQUIRE(close != cell.npos);
    all.emplace_back(cell.substr(open + 1, close - open - 1));
    open = close + 1;
  }
  return all;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream text(row.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) cells.push_back(cell);
  return cells;
}

// Whether a path (from runtime/ on) is of a folder, or is that file.
bool is_of(std::string_view path, std::string_view name) {
  return path.starts_with(name) && (path.size() == name.size() || path[name.size()] == '/');
}

// The part that a path belongs to: the smallest; parts.size() if none.
size_t part_of(const std::vector<Part>& parts, std::string_view path) {
  size_t found = parts.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool smaller = found == parts.size() || parts[i].name.size() > parts[found].name.size();
    if (is_of(path, parts[i].name) && smaller) found = i;
  }
  return found;
}

// The two tables of the section: | part | what it is | includes |, | part | includes | because |.
std::vector<Part> read_parts() {
  std::ifstream file(source_root() + "/runtime/README.md");
  std::vector<Part> parts;
  std::string line;
  while (std::getline(file, line) && line != "## The folders") {
  }
  int table = 0;
  for (bool inside = false; std::getline(file, line) && !line.starts_with("## ");) {
    if (!inside && line.starts_with("|")) ++table;
    inside = line.starts_with("|");
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE_MESSAGE(cells.size() == 3, line);
    const std::string name = names_in(cells[0]).front();
    if (table == 1) {
      parts.push_back({name, names_in(cells[2]), {}});
      continue;
    }
    const size_t part = part_of(parts, name);
    REQUIRE_MESSAGE((part < parts.size() && parts[part].name == name), name, " is in no row");
    for (const std::string& header : names_in(cells[1])) parts[part].above.push_back(header);
  }
  return parts;
}

}  // namespace

TEST_CASE("includes go down only") {
  int files = 0;
  for (const auto& [floor, allowed] : kMayInclude) {
    files += for_includes(floor, [&](const std::string& path, int number, const std::string& name) {
      const std::string why = objection(floor, path, name);
      CHECK_MESSAGE(why.empty(), path, ":", number, ": ", name, " ", why);
    });
  }
  CHECK(files > 50);
}

TEST_CASE("the table of runtime's folders goes from the ground up") {
  const std::vector<Part> parts = read_parts();
  REQUIRE(parts.size() > 10);
  for (size_t i = 0; i < parts.size(); ++i) {
    CHECK_MESSAGE(std::filesystem::exists(source_root() + "/runtime/" + parts[i].name),
                  parts[i].name, " is not there");
    for (const std::string& name : parts[i].below) {
      CHECK_MESSAGE(part_of(parts, name) < i, parts[i].name, " is not above ", name);
    }
    for (const std::string& name : parts[i].above) {
      const size_t part = part_of(parts, name);
      CHECK_MESSAGE((part > i && part < parts.size()), parts[i].name, " is not below ", name);
    }
  }
}

TEST_CASE("runtime's folders include what their table tells") {
  const std::vector<Part> parts = read_parts();
  std::set<std::pair<size_t, std::string>> used;
  const std::string root = source_root() + "/runtime/", floor = "runtime/";
  for_includes("runtime", [&](const std::string& path, int number, const std::string& name) {
    if (!name.starts_with(floor)) return;
    const std::string header = name.substr(floor.size());
    const size_t part = part_of(parts, path.substr(root.size()));
    REQUIRE_MESSAGE(part < parts.size(), path, " is of no folder in runtime/README.md");
    bool allowed = part_of(parts, header) == part;
    for (const auto* arrows : {&parts[part].below, &parts[part].above}) {
      for (const std::string& arrow : *arrows) {
        if (!is_of(header, arrow)) continue;
        allowed = true;
        used.emplace(part, arrow);
      }
    }
    CHECK_MESSAGE(allowed, path, ":", number, ": ", parts[part].name, " may not include ", header,
                  " (see runtime/README.md)");
  });
  for (size_t i = 0; i < parts.size(); ++i) {
    for (const auto* arrows : {&parts[i].below, &parts[i].above}) {
      for (const std::string& arrow : *arrows) {
        CHECK_MESSAGE(used.contains({i, arrow}), parts[i].name, " does not include ", arrow);
      }
    }
  }
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
