#pragma once

// Elements of `size` bytes, each so many times: as `times` says of it, or of all where it holds one
// number.

#include <cstdint>
#include <span>

#include "runtime/cpu/thread_pool.h"

namespace gpy::rt {

void write_repeated(ThreadPool& threads, const void* elements, int64_t count, int64_t size,
                    std::span<const int64_t> times, void* to);

}  // namespace gpy::rt
