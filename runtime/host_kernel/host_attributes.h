#pragma once

// What a kernel on the host answers when it is asked for a GPU's attributes.

#include <atomic>

#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

class HostAttributes {
 public:
  int get(FunctionAttribute attribute) const;
  // Keeps to what devices take. Throws kValue for other values and attributes.
  void set(FunctionAttribute attribute, int value);

 private:
  std::atomic<int> dynamic_shared_bytes_{48 << 10};
  std::atomic<int> carveout_{-1};  // percent; -1: the driver's own choice
};

}  // namespace gpy::rt
