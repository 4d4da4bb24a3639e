#pragma once
// Memory that fails, and is counted. Programs that link allocations.cpp have every form of operator
// new and delete replaced. Calls of malloc in C libraries are not seen.

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpy::test::failing {

// The number of blocks that are held now.
int64_t blocks_held();

// Records from now on where blocks are allocated.
void watch_blocks();
// Stacks of the blocks allocated since watch_blocks() and not freed, the first `most` of them, each
// ended by a null; as many as fit.
size_t stacks_of_held(std::span<void*> to, size_t most);

}  // namespace gpy::test::failing
