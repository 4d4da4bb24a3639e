#pragma once

// A compiled kernel text, loaded: its launchers, its stop word, and what is known of its code.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/host_kernel/assembly.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

// Runs the blocks [first, last) of a grid. `shape`: the grid's three extents and the block's.
// `memory`: where threads meet, the stacks and shared memory of a block. 0 when done, 1 when an
// exception was not caught.
using Launcher = int (*)(void* const* arguments, const unsigned* shape, long long first,
                         long long last, struct KernelPosition* position,
                         const struct BlockMemory* memory);

struct ElementRange {
  int64_t first = 0, end = 0;
};

// The position of a thread in its kernel. The launcher writes the block and the thread as it goes,
// a generated kernel the element that it is at, and atomic functions their caller. Compilers may
// move an access out of the loop over threads, and long loops over elements note none: the position
// is exact only if `marks` is set, which makes a kernel slow.
struct KernelPosition {
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  int64_t element = -1;
  const char* file = nullptr;
  int32_t line = 0;
  int32_t marks = 0;
  ElementRange range;  // of a kernel that computes one
};

// The layout of the Itanium C++ ABI.
struct ExceptionGlobals {
  void* caught;
  unsigned uncaught;
};

// The place in the user's files where code was written.
struct SourceLine {
  std::string file;  // empty: not known
  int line = 0;
  bool exact = false;  // else the code is not the user's, and this is a line near it
};

// kInTurn: one after another, on the stack of the launcher, or on one of a block's. kAsFibers: each
// on its own. kAllBlocks: so too, and all blocks at once, since they may wait for each other.
enum class ThreadsRun : uint8_t { kInTurn, kAsFibers, kAllBlocks };

// One shared object in this process. Its code may be run on several threads at once; no part of it
// is used any more when this goes.
class KernelObject {
 public:
  // Opens the shared object at `path`, which need not stay there. `files` are those that its line
  // table refers to. Throws kOs.
  KernelObject(const std::string& path, std::vector<std::string> files);
  ~KernelObject();
  KernelObject(const KernelObject&) = delete;
  KernelObject& operator=(const KernelObject&) = delete;

  // Null if there is no such kernel.
  Launcher launcher(const std::string& kernel) const;
  // nullopt if there is no such variable.
  std::optional<GlobalVariable> variable(const std::string& name) const;
  // Must have run to its end before any launcher does: gives the text's variables their first
  // values. Takes no arguments; its shape is one thread.
  Launcher initialiser() const { return initialiser_; }
  // Runs it by `run` if it has not been: once, others wait. Once more where `run` throws.
  void initialise(const std::function<void()>& run);
  // While this is all ones, and not 0, loop edges ask whether their thread should leave the kernel.
  std::atomic_ref<uint64_t> stop_word() const { return std::atomic_ref(*stop_); }
  // The exception state of the calling thread in its C++ library, which need not be ours; null
  // where it has none.
  ExceptionGlobals* exception_globals() const { return globals_ ? globals_() : nullptr; }
  // Not 0 where its threads meet: the shift of the stacks that they need.
  unsigned stack_shift() const { return stack_shift_; }
  // How this kernel's threads are run.
  ThreadsRun threads_of(const std::string& kernel) const;
  // Whether its loops are polled at all.
  bool can_stop() const { return lines_ != nullptr; }

  bool contains(const void* address) const { return address >= begin_ && address < end_; }
  // The user's line that the instruction at `address` comes from; a line of kCalledFile where it is
  // one of the functions that note who called them.
  SourceLine line_of(const void* address) const;

 private:
  struct Mark {
    const char* address;
    const LineEntry* entry;
  };

  void find_code();
  bool is_users(const LineEntry& entry) const;
  // The table's entries by address, an order that the table does not have everywhere.
  std::vector<Mark> sorted_marks() const;
  // The first line of the only function that has user lines; unknown where several have some.
  SourceLine first_line(std::span<const Mark> marks) const;

  void* handle_;
  std::vector<std::string> files_;
  const void* begin_ = nullptr;
  const void* end_ = nullptr;
  Launcher initialiser_ = nullptr;
  std::atomic<bool> initialised_ = false;
  ForkSafe<std::mutex> initialising_;
  uint64_t* stop_ = nullptr;
  unsigned stack_shift_ = 0;
  ExceptionGlobals* (*globals_)() = nullptr;
  const LineEntry* lines_ = nullptr;
  const LineEntry* lines_end_ = nullptr;
};

}  // namespace gpy::rt
