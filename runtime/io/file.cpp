#include "runtime/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/core/error_facts.h"
#include "runtime/core/interrupt.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

[[noreturn]] void fail_errno(const std::string& path) { throw OsError(errno, path); }

void check_path(const std::string& path) {
  if (path.find('\0') != std::string::npos) fail(ErrorKind::kValue, "embedded null byte");
}

bool is_regular_or_absent(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

std::string resolve_links(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

// A new file in the target's folder, whose name is short whatever the target's.
int create_beside(const std::string& target, std::string& name) {
  static std::atomic<unsigned> counter{0};
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  while (true) {
    name = fmt::format("{}.gpy-{}-{}.tmp", folder, ::getpid(), counter++);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
}

}  // namespace

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  check_path(path_);
  // A named pipe waits for its other end, and an interrupt comes in between.
  while ((descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) < 0) {
    const int error = errno;
    poll_interrupt();
    if (error != EINTR) throw OsError(error, path_);
  }
}

InputFile::~InputFile() { ::close(descriptor_); }

int64_t InputFile::size() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
  return status.st_size;
}

int64_t InputFile::left() const {
  const int64_t bytes = size();
  return bytes < 0 ? -1 : std::max<int64_t>(bytes - position_, 0);
}

size_t InputFile::read(void* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t count = ::read(descriptor_, static_cast<char*>(to) + done,
                                 std::min<size_t>(bytes - done, SSIZE_MAX));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path_);
    if (count == 0) break;
    done += count;
  }
  position_ += static_cast<int64_t>(done);
  return done;
}

std::string InputFile::read_all() {
  constexpr size_t kChunk = 1 << 16;
  const size_t expected = std::max<int64_t>(size(), 0) + 1;
  Charge room(expected);
  std::string bytes(expected, '\0');
  size_t done = 0;
  while (true) {
    poll_interrupt();
    done += read(bytes.data() + done, bytes.size() - done);
    if (done < bytes.size()) break;
    const size_t more = std::max(kChunk, bytes.size() / 2);
    room.add(2 * more);  // the old buffer stays during the move
    bytes.resize(bytes.size() + more);
  }
  bytes.resize(done);
  return bytes;
}

std::string read_file(const std::string& path) { return InputFile(path).read_all(); }

std::string read_rest(ByteInput& input, int64_t most) {
  constexpr int64_t kPiece = 1 << 20;
  Charge room(0);
  std::string bytes;
  while (most < 0 || std::ssize(bytes) < most) {
    poll_interrupt();
    const size_t done = bytes.size();
    const int64_t wanted = std::max(kPiece, std::ssize(bytes) / 2);
    const auto piece = static_cast<size_t>(
        most < 0 ? wanted : std::min(wanted, most - static_cast<int64_t>(done)));
    room.add(2 * piece);
    bytes.resize(done + piece);
    bytes.resize(done + input.read(bytes.data() + done, piece));
    if (bytes.size() < done + piece) break;
  }
  return bytes;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  check_path(path_);
  target_ = resolve_links(path_);
  if (!is_regular_or_absent(target_)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_errno(path_);
    return;
  }
  struct stat replaced;
  const bool replaces = ::stat(target_.c_str(), &replaced) == 0;
  if (replaces && ::access(target_.c_str(), W_OK) != 0) fail_errno(path_);
  descriptor_ = create_beside(target_, temporary_);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail_errno(path_);
  }
  if (replaces) ::fchmod(descriptor_, replaced.st_mode & 07777);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(const void* from, size_t bytes) {
  const char* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t count = ::write(descriptor_, at, std::min<size_t>(bytes, SSIZE_MAX));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path_);
    at += count;
    bytes -= count;
  }
}

void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_errno(path_);
}

void OutputFile::commit() {
  close();
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(path_);
  temporary_.clear();
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace gpy::rt
