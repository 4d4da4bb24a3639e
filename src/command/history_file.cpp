#include "src/command/history_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/core/environment.h"

namespace gpy::command {

namespace {

constexpr size_t kKept = 5000;
constexpr size_t kLong = 2 * kKept;

std::string state_folder() {
  if (std::string state = rt::environment_variable("XDG_STATE_HOME"); state.starts_with('/')) {
    return state;
  }
  const std::string home = rt::environment_variable("HOME");
  return home.empty() ? "" : home + "/.local/state";
}

}  // namespace

HistoryFile::HistoryFile() {
  const std::string folder = state_folder();
  if (folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder + "/gpy", failed);
  if (!failed) path_ = folder + "/gpy/history";
}

std::vector<std::string> HistoryFile::load() {
  std::vector<std::string> lines;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  if (lines.size() <= kKept) return lines;
  const bool grown = lines.size() > kLong;
  lines.erase(lines.begin(), lines.end() - kKept);
  if (grown) cut(lines);
  return lines;
}

void HistoryFile::cut(const std::vector<std::string>& lines) const {
  const std::string fresh = path_ + "." + std::to_string(getpid());
  std::ofstream file(fresh);
  for (const std::string& line : lines) file << line << '\n';
  file.close();
  std::error_code ignored;
  if (file) {
    std::filesystem::rename(fresh, path_, ignored);
  } else {
    std::filesystem::remove(fresh, ignored);
  }
}

// A single write, so that lines of two prompts do not mix. Only the owner can read the file.
void HistoryFile::append(const std::string& line) {
  if (path_.empty()) return;
  const int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  const std::string whole = line + "\n";
  if (write(file, whole.data(), whole.size()) < 0) path_.clear();
  close(file);
}

}  // namespace gpy::command
