#pragma once
// The kinds of calls that may fail, and the switch that says when: the n-th try, alone or with all
// tries after it. A call that may fail asks failing(), and then does as it says.

#include <cstdint>
#include <span>

namespace gpy::test::failing {

enum class What : uint8_t {
  memory,  // operator new (allocations.cpp)
  files,   // the system's calls that files take (files.cpp)
  device,  // calls of the GPU's driver and libraries (device.cpp)
};
enum class How : uint8_t { once, from_then_on };

struct Trial {
  uint64_t n = 0;  // 0: nothing fails
  How how = How::once;
  What what = What::memory;
};

// Counts from here on, and lets the n-th try fail.
void arm(const Trial& trial);
// Stops the failures. Gives the number of tries since arm().
uint64_t disarm();
bool has_failed();
// The stack at the first failure since arm().
std::span<void* const> place_of_failure();

// For calls that may fail: counts a try. True: it must fail.
bool failing(What what);

// While this lives, tries on this thread neither count nor fail: they are the test's own.
class Uncounted {
 public:
  Uncounted();
  ~Uncounted();
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

  static bool here();
};

}  // namespace gpy::test::failing
