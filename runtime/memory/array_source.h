#pragma once

// The source of memory for a session's device arrays, where it is not the device's own pool.

#include <cstddef>

#include "runtime/core/ref.h"

namespace gpy::rt {

class Backend;
class Buffer;

class ArraySource {
 public:
  virtual ~ArraySource() = default;
  // Gives at least `bytes` of the backend's device, for work of this thread's current queue. May
  // run a script, which may compute anything meanwhile. Throws kMemory where there is no more.
  virtual Ref<Buffer> allocate(Backend& backend, size_t bytes) = 0;
};

}  // namespace gpy::rt
