#pragma once

// A compiled kernel text, loaded: its launchers, its stop word, and what is known of its code.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/host_kernel/assembly.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

// Runs the blocks [first, last) of a grid. `shape`: the grid's three extents and the block's.
// 0 when done, 1 when an exception was not caught.
using Launcher = int (*)(void* const* arguments, const unsigned* shape, long long first,
                         long long last, struct KernelPosition* position);

// Where in its kernel a thread is: written by the launcher as it goes. Of a generated kernel the
// element is wanted instead, which is noted only if `marks` is set: loops that do so are slow.
struct KernelPosition {
  Dim3 block, thread;
  int64_t element = -1;
  int32_t marks = 0;
};

struct SourceLine {
  std::string file;  // empty: not known
  int line = 0;
  bool exact = false;  // else the code is of no line of the user's, and this is the one before it
};

class KernelObject {
 public:
  // Opens the shared object at `path`, which need not stay there. `files` are those that its line
  // table counts by. Throws kOs.
  KernelObject(const std::string& path, std::vector<std::string> files);
  ~KernelObject();
  KernelObject(const KernelObject&) = delete;
  KernelObject& operator=(const KernelObject&) = delete;

  // Null if there is no such kernel.
  Launcher launcher(const std::string& kernel) const;
  // While this is all ones, and not 0, loop edges ask whether their thread should leave the kernel.
  std::atomic_ref<uint64_t> stop_word() const { return std::atomic_ref(*stop_); }
  // Whether its loops ask at all.
  bool can_stop() const { return lines_ != nullptr; }

  bool contains(const void* address) const { return address >= begin_ && address < end_; }
  // The user's line that the instruction at `address` comes from.
  SourceLine line_of(const void* address) const;

 private:
  void find_code();

  void* handle_;
  std::vector<std::string> files_;
  const void* begin_ = nullptr;
  const void* end_ = nullptr;
  uint64_t* stop_ = nullptr;
  const LineEntry* lines_ = nullptr;
  const LineEntry* lines_end_ = nullptr;
};

}  // namespace gpy::rt
