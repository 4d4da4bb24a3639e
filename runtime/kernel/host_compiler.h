#pragma once

// User kernels on the host: the CUDA C++ text is compiled by the system's C++ compiler behind a
// header that defines CUDA's names, and the threads of a block run one after another.

#include <memory>

#include "runtime/cpu/thread_pool.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

std::unique_ptr<UserKernels> make_host_compiler(ThreadPool& threads);

}  // namespace gpy::rt
