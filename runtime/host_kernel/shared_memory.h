#pragma once

// The shared memory that kernels declare, read from the compiler's assembly text.

#include <string>
#include <string_view>

namespace gpy::rt {

// The section that the shim puts __shared__ variables into.
constexpr std::string_view kSharedSection = ".tbss.gpy_shared";

// The most that a kernel may declare on every device; more is requested at its launch ("Technical
// Specifications per Compute Capability" in CUDA's programming guide).
constexpr size_t kMostDeclaredBytes = 48 << 10;

// Bytes of the __shared__ variables of the function that declares most. Those that the compiler
// took out do not count.
size_t declared_shared_bytes(std::string_view assembly);

// Where threads meet, these variables lie in the region of the block's stacks (block_stacks.h):
// each place of the text that asks the system for its thread's variables computes their address
// there instead, from the stack pointer. Unchanged where a place has another form.
std::string with_shared_in_region(const std::string& assembly, unsigned stack_shift);

}  // namespace gpy::rt
