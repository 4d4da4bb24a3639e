#pragma once

// Stack space for calls that need much: LAPACK's routines keep their data for the threads there.

#include <cstddef>
#include <functional>

namespace gpy::rt {

// Runs `work` where at least `bytes` of stack are left: here, or on a thread made for it while this
// one waits. Throws kMemory where neither can be had; what `work` throws is thrown again here.
void with_stack(size_t bytes, const std::function<void()>& work);

}  // namespace gpy::rt
