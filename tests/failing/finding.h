#pragma once
// The faults of runs in which memory failed, and their report.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/failing/switch.h"

namespace gpy::test::failing {

enum class Wrong : uint8_t {
  crash,      // a signal
  terminate,  // std::terminate: an exception left a noexcept function
  hang,       // it took longer than the time limit
  foreign,    // an exception that is none of gpy's left it
  error,      // it ended in an error that is not caused by memory
  output,     // it printed something else, and no script's handler saw a MemoryError
  answer,     // the interpreter does not work any more
  leak,       // memory was left behind
  again,      // it prints something else when it runs once more
  silent,     // a failure had no effect
  device,     // memory of the device was left behind
  skipped,    // the rest of the subject was not tried: its workers ended too often
};

// Fixed in size, so that it can be sent through a pipe from a signal handler.
struct Finding {
  static constexpr int kDeepest = 30;
  Wrong wrong;
  How how;
  uint32_t subject;
  uint64_t n;
  int64_t amount = 0;  // a signal's or exit's number, or blocks
  char text[160] = {};
  void* failed_at[kDeepest] = {};  // where memory failed; ended by a null
  void* seen_at[kDeepest] = {};    // where it showed; for a leak, where the block was allocated
};

void copy_stack(void* (&to)[Finding::kDeepest], std::span<void* const> from);

// Findings of the same kind at the same place are one, with an example.
class Report {
 public:
  void add(const Finding& finding);
  // The most frequent first, `most` of them with their stacks.
  void print(const std::vector<std::string>& subjects, size_t most) const;
  size_t count() const { return count_; }

 private:
  struct Group {
    Finding example;
    size_t count = 0;
  };
  std::map<std::string, Group> groups_;
  size_t count_ = 0;
};

}  // namespace gpy::test::failing
