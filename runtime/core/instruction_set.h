#pragma once

#include <cstdint>

namespace gpy::rt {

// The instruction sets that the loops in ops/loops are compiled for; the widest one here is used.
enum class InstructionSet : uint8_t { kBase, kAvx2, kAvx512 };

InstructionSet instruction_set();

}  // namespace gpy::rt
