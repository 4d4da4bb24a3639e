#include "tests/runner/script.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gpy::test {

namespace {

constexpr std::string_view kExpect = "# expect: ";
constexpr std::string_view kExpectEmpty = "# expect:";
constexpr std::string_view kExpectError = "# expect error: ";
constexpr std::string_view kExpectRuntimeError = "# expect runtime error: ";

// The text after `mark` in the line, or nothing.
std::optional<std::string> text_after(std::string_view line, std::string_view mark) {
  size_t at = line.rfind(mark);
  if (at == line.npos) return std::nullopt;
  return std::string(trim_right(line.substr(at + mark.size())));
}

bool is_comment(std::string_view line) {
  size_t start = line.find_first_not_of(" \t");
  return start != line.npos && line[start] == '#';
}

// A directive is a comment line of its own, before the first statement.
void read_directive(Script& script, std::string_view line) {
  auto value_of = [&](std::string_view name) -> std::optional<std::string> {
    if (!line.starts_with(name)) return std::nullopt;
    return std::string(trim_right(line.substr(name.size())));
  };
  if (auto devices = value_of("# devices: ")) script.devices = *devices;
  if (auto count = value_of("# fake GPUs: ")) script.fake_gpus = *count;
  if (auto lazy = value_of("# lazy: ")) script.lazy_only = *lazy == "only";
  if (auto names = value_of("# not under: ")) script.not_under = *names;
  if (auto also = value_of("# also: ")) script.also_cupy = *also == "cupy";
  if (auto reason = value_of("# skip: ")) script.skip = *reason;
}

// `line` is the number of the statement that the comment belongs to.
void read_expectation(Script& script, std::string_view text, int line) {
  if (auto error = text_after(text, kExpectRuntimeError)) {
    script.error = ExpectedError{line, false, *error};
  } else if (auto syntax = text_after(text, kExpectError)) {
    script.error = ExpectedError{line, true, *syntax};
  } else if (auto output = text_after(text, kExpect)) {
    script.output[line].push_back(*output);
  } else if (trim_right(text).ends_with(kExpectEmpty)) {
    script.output[line].push_back("");
  }
}

}  // namespace

std::string_view trim_right(std::string_view text) {
  size_t end = text.find_last_not_of(" \t\r");
  return end == text.npos ? std::string_view{} : text.substr(0, end + 1);
}

bool Script::runs_on(std::string_view device) const {
  return devices.empty() || devices.find(device) != std::string::npos;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    size_t end = text.find('\n');
    lines.emplace_back(trim_right(text.substr(0, end)));
    if (end == text.npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Script parse_script(std::string path, std::string text) {
  Script script;
  script.path = std::move(path);
  script.text = std::move(text);
  int number = 0, statement = 0;
  for (const std::string& line : split_lines(script.text)) {
    ++number;
    if (!is_comment(line)) statement = number;
    if (statement == 0) read_directive(script, line);
    read_expectation(script, line, statement);
  }
  return script;
}

Script read_script(const std::string& path) { return parse_script(path, read_file(path)); }

Script with_cupy(Script script) {
  constexpr std::pair<std::string_view, std::string_view> kImports[] = {
      {"import numpy as np", "import cupy as np"},
      {"from scipy import", "from cupyx.scipy import"}};
  for (const auto& [from, to] : kImports) {
    for (size_t at = script.text.find(from); at != std::string::npos;
         at = script.text.find(from, at + to.size())) {
      script.text.replace(at, from.size(), to);
    }
  }
  return script;
}

std::vector<std::string> find_scripts(const std::string& prefix) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::string folder = fs::is_directory(prefix) ? prefix : fs::path(prefix).parent_path().string();
  if (!fs::is_directory(folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string path = entry.path().string();
    if (path.starts_with(prefix) && path.ends_with(".gpy") &&
        path.find("/modules/") == std::string::npos) {
      found.push_back(path);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace gpy::test
