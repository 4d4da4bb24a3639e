#include "runtime/kernel/compile_turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "runtime/core/interrupt.h"

namespace gpy::rt {
namespace {

using Clock = std::chrono::steady_clock;

// Whether the open file is still the one of that name: its last holder has removed it otherwise.
bool is_named(int file, const std::string& path) {
  struct stat open_file {
  }, named{};
  return fstat(file, &open_file) == 0 && lstat(path.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

}  // namespace

CompileTurn::CompileTurn(std::string path, double seconds) : path_(std::move(path)) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (try_to_take() == Attempt::kHeldByAnother && Clock::now() < end) {
    poll_interrupt();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// The file goes before the lock does: whoever waits for the lock then sees that the file has no
// name any more. A fork's child may hold the file open too, so that closing it alone frees no lock.
CompileTurn::~CompileTurn() {
  if (file_ < 0) return;
  if (is_named(file_, path_)) unlink(path_.c_str());
  flock(file_, LOCK_UN);
  close_file();
}

CompileTurn::Attempt CompileTurn::try_to_take() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file_ < 0) return Attempt::kImpossible;
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) {
    if (is_named(file_, path_)) return Attempt::kTaken;
    close_file();
    return Attempt::kHeldByAnother;
  }
  const bool held = errno == EWOULDBLOCK || errno == EINTR;
  if (!held) unlink(path_.c_str());  // a file system without locks
  close_file();
  return held ? Attempt::kHeldByAnother : Attempt::kImpossible;
}

void CompileTurn::close_file() { close(std::exchange(file_, -1)); }

}  // namespace gpy::rt
