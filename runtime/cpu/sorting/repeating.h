#pragma once

// Repeats elements of `size` bytes: `times` holds a number for each, or one number for all.

#include <cstdint>
#include <span>

#include "runtime/core/thread_pool.h"

namespace gpy::rt {

void write_repeated(ThreadPool& threads, const void* elements, int64_t count, int64_t size,
                    std::span<const int64_t> times, void* to);

}  // namespace gpy::rt
