#pragma once

// The end of a buffer whose memory goes to somebody who knows no queue but the device's own.

#include "runtime/backend.h"

namespace gpy::rt {

// Orders the device's own queue after all work that uses the buffer, and forgets the queues of that
// work, which must not outlive their device. Where no order can be made, waits for the device.
void order_after_use(Backend& backend, Buffer& buffer) noexcept;

// Waits for all work of a device; a device that is lost does none.
void wait_for_device(Backend& backend) noexcept;

}  // namespace gpy::rt
