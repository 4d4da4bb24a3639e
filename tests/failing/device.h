#pragma once
// A GPU whose calls fail: the fakes of tests/fake_cuda, loaded into this process.

#include <cstddef>
#include <cstdint>

namespace gpy::test::failing {

// Loads the fakes. False: they were not built.
bool load_fake_device();

// Like arm and disarm (switch.h), for calls of the driver, NVRTC, cuBLAS and cuSOLVER. A failure
// once means that there is no memory, a lasting one that the device has faulted.
void arm_device(uint64_t n, bool stays);
uint64_t disarm_device();
// The call that failed first since then; null: none has.
const char* failed_call();
// Whether the call that failed first may do so without an error: one that frees something, or that
// is tried again or replaced by another way.
bool may_fail_silently();
// The bytes of device memory that are held now.
size_t device_memory_held();
// Forgets what the fakes have recorded, once everything that uses them has ended.
void forget_device();

}  // namespace gpy::test::failing
