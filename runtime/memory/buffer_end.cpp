#include "runtime/memory/buffer_end.h"

namespace gpy::rt {

void order_after_use(Backend& backend, Buffer& buffer) noexcept {
  try {
    buffer.queues().gather(backend.own_queue());
    if (Queue* writer = buffer.queues().writer()) backend.own_queue().follow(*writer);
  } catch (...) {
    wait_for_device(backend);
  }
  buffer.queues().forget();
}

void wait_for_device(Backend& backend) noexcept {
  try {
    backend.synchronize();
  } catch (...) {
  }
}

}  // namespace gpy::rt
