#pragma once
// Runs cases one after the other, in a process that may crash.

#include <atomic>
#include <cstdint>
#include <vector>

#include "tests/failing/finding.h"
#include "tests/failing/subject.h"

namespace gpy::test::failing {

// The choice of n to try among a subject's allocations.
struct Choice {
  uint64_t first = 300;   // the first so many, all of them
  uint64_t spread = 300;  // so many of the rest, evenly spaced
  uint64_t part = 1;      // of those chosen, one in so many
  bool every = false;     // all of them
  What what = What::memory;
};

// The data that the workers and their parent share.
struct Progress {
  std::atomic<uint64_t> next = 0;   // the case of the subject to go on with
  std::atomic<uint64_t> cases = 0;  // done by all workers
  std::atomic<bool> done = false;   // the subject is done
  // The case at work, and whether the worker has reported its own end.
  std::atomic<uint64_t> n = 0;
  std::atomic<How> how = How::once;
  std::atomic<bool> has_told_end = false;
};

// The cases of `subjects[number]`, from progress.next on. Findings go to `pipe`.
void work(const std::vector<Subject>& subjects, uint32_t number, const Choice& choice,
          Progress& progress, int pipe);

}  // namespace gpy::test::failing
