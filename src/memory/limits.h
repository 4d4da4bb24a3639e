#pragma once
// The limits of a run, and the reasons for which one is stopped.

#include <cstddef>
#include <cstdint>

namespace gpy {

enum class StopReason : uint8_t { none, interrupt, deadline, steps, memory, output };

// 0: no limit.
struct Limits {
  uint64_t steps = 0;  // loop edges, calls that scripts make, turns of long loops in natives
  double seconds = 0;
  size_t memory = 0;  // bytes of all values that the interpreter holds, arrays on devices included
  size_t output = 0;  // bytes written to `out` and `err`
};

}  // namespace gpy
