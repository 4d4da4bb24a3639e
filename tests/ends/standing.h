#pragma once
// The resources that this process holds.

#include <cstddef>

namespace gpy::test {

struct Standing {
  // Both are 0 under AddressSanitizer, whose own tools look for leaks.
  size_t resident = 0;  // bytes
  size_t blocks = 0;    // blocks of operator new
  int threads = 0, files = 0;

  static Standing now();
};

}  // namespace gpy::test
