#pragma once
// Memory that fails, and is counted. Programs that link allocations.cpp have every form of operator
// new and delete replaced. What C libraries take by malloc is not seen.

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpy::test::failing {

// Blocks that are held now.
int64_t blocks_held();

// From here on, notes where blocks come from.
void watch_blocks();
// Stacks of those taken since watch_blocks() and not given back, the first `most` of them, each
// ended by a null; as many as fit.
size_t stacks_of_held(std::span<void*> to, size_t most);

}  // namespace gpy::test::failing
