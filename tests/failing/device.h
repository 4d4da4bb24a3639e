#pragma once
// A GPU whose calls fail: the fakes of tests/fake_cuda, loaded into this process.

#include <cstddef>
#include <cstdint>

namespace gpy::test::failing {

// Loads them. False: they were not built.
bool load_fake_device();

// As the switch's arm and disarm (switch.h), for calls of the driver, NVRTC, cuBLAS and cuSOLVER.
// Once: there is no memory; from then on: the device has faulted.
void arm_device(uint64_t n, bool stays);
uint64_t disarm_device();
// The call that failed first since then; null: none has.
const char* failed_call();
// Whether the call that failed first may do so without an error: what gives something back, what
// is tried again or done in another way.
bool may_fail_silently();
// Memory of the device that is held now.
size_t device_memory_held();
// Forgets what the fakes have recorded, once everything that uses them has ended.
void forget_device();

}  // namespace gpy::test::failing
