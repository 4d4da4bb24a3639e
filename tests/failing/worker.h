#pragma once
// Runs cases one after the other, in a process that may crash.

#include <atomic>
#include <cstdint>
#include <vector>

#include "tests/failing/finding.h"
#include "tests/failing/subject.h"

namespace gpy::test::failing {

// Which n are tried of a subject's allocations.
struct Choice {
  uint64_t first = 300;   // all of these
  uint64_t spread = 300;  // so many of the rest, evenly
  uint64_t part = 1;      // of what is chosen, every so many
  bool every = false;     // all of them
  What what = What::memory;
};

// What the workers and their parent share.
struct Progress {
  std::atomic<uint64_t> next = 0;   // the case to go on with, in the subject
  std::atomic<uint64_t> cases = 0;  // done, in all
  std::atomic<bool> done = false;   // with the subject
  // The case at work, and whether the worker has told of what ends it.
  std::atomic<uint64_t> n = 0;
  std::atomic<How> how = How::once;
  std::atomic<bool> has_told_end = false;
};

// The cases of `subjects[number]`, from progress.next on. Findings go to `pipe`.
void work(const std::vector<Subject>& subjects, uint32_t number, const Choice& choice,
          Progress& progress, int pipe);

}  // namespace gpy::test::failing
