#include "runtime/kernel/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <new>

#include "runtime/core/environment.h"
#include "runtime/core/error_facts.h"

namespace gpy::rt {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "gpy-kernel-";
constexpr const char* kLock = "lock";
// The seconds that a new folder may be without its lock.
constexpr std::time_t kSecondsToLock = 60;

std::string temporary_folder() {
  const std::string named = environment_variable("TMPDIR");
  return named.empty() ? "/tmp" : named;
}

// The lock goes with the process that holds it. A lock that cannot be taken is held.
bool is_abandoned(const fs::path& folder) {
  struct stat about {};
  if (lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) return false;
  if (about.st_uid != geteuid() || std::time(nullptr) - about.st_mtime < kSecondsToLock)
    return false;
  const int lock = open((folder / kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0) return errno == ENOENT;
  const bool free = flock(lock, LOCK_EX | LOCK_NB) == 0;
  close(lock);
  return free;
}

void remove_abandoned(const fs::path& where) {
  std::error_code error;
  for (fs::directory_iterator at(where, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    const bool ours = at->path().filename().string().starts_with(kPrefix);
    if (ours && is_abandoned(at->path())) fs::remove_all(at->path(), ignored);
  }
}

}  // namespace

WorkFolder::WorkFolder() {
  static std::once_flag swept;
  const std::string where = temporary_folder();
  std::call_once(swept, [&] { remove_abandoned(where); });
  std::string name = fmt::format("{}/{}XXXXXX", where, kPrefix);
  if (!mkdtemp(name.data())) throw OsError(errno, name);
  path_ = name;
  lock_ = open((path_ / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
}

WorkFolder::~WorkFolder() {
  try {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  } catch (const std::bad_alloc&) {
    // Walking a folder takes memory. One that is left without a lock is removed by a later process.
  }
  if (lock_ >= 0) close(lock_);
}

void write_file(const fs::path& path, std::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int error = file < 0 ? errno : 0;
  while (!error && !text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count >= 0) text.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR) error = errno;
  }
  if (file >= 0 && close(file) != 0 && !error) error = errno;
  if (error) throw OsError(error, path.string());
}

std::string read_file(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw OsError(errno, path.string());
  std::string text;
  char buffer[1 << 14];
  ssize_t count = 0;
  while ((count = read(file, buffer, sizeof(buffer))) != 0) {
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
    else if (errno != EINTR) break;
  }
  const int error = count < 0 ? errno : 0;
  close(file);
  if (error) throw OsError(error, path.string());
  return text;
}

}  // namespace gpy::rt
