#pragma once

#include <cstdint>

namespace gpy::rt {

// What the loops in ops/loops are compiled for; the widest that this machine runs is used.
enum class InstructionSet : uint8_t { kBase, kAvx2, kAvx512 };

InstructionSet instruction_set();

}  // namespace gpy::rt
