#pragma once

// Where a session's device arrays take their memory, where that is not the device's own pool.

#include <cstddef>

#include "runtime/core/ref.h"

namespace gpy::rt {

class Backend;
class Buffer;

class ArraySource {
 public:
  virtual ~ArraySource() = default;
  // At least so many bytes of the backend's device, good for work of this thread's current queue.
  // May run a script, which may compute anything meanwhile. Throws kMemory where there is no more.
  virtual Ref<Buffer> allocate(Backend& backend, size_t bytes) = 0;
};

}  // namespace gpy::rt
