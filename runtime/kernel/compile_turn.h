#pragma once

// The turn to compile one kernel: processes and threads that want the same one at the same time
// wait for whoever has it, and then find its result on disk.

#include <string>

namespace gpy::rt {

class CompileTurn {
 public:
  // Nobody is waited for.
  CompileTurn() = default;
  // Waits at most `seconds` for the lock file at `path`; after that, and where there can be no
  // lock, goes on without. A process that ends gives its turn back. Throws kInterrupt.
  CompileTurn(std::string path, double seconds);
  ~CompileTurn();
  CompileTurn(const CompileTurn&) = delete;
  CompileTurn& operator=(const CompileTurn&) = delete;

  // Whether no other process has the turn.
  bool is_held() const { return file_ >= 0; }

 private:
  enum class Attempt { kTaken, kHeldByAnother, kImpossible };
  Attempt try_to_take();
  void close_file();

  std::string path_;
  int file_ = -1;
};

}  // namespace gpy::rt
