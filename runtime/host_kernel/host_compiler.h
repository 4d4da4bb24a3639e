#pragma once

// User kernels on the host: the CUDA C++ text is compiled by the system's C++ compiler behind a
// text that defines CUDA's names. The threads of a block run one after another or, where they meet,
// as fibers. What was compiled is kept on disk, beside kernels for GPUs.

#include <memory>
#include <string>

#include "runtime/backend.h"
#include "runtime/core/thread_pool.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

// Counts what it compiles and loads in `counters`. An empty folder name: nothing is kept.
std::unique_ptr<UserKernels> make_host_compiler(ThreadPool& threads, Counters& counters,
                                                std::string cache_folder);

}  // namespace gpy::rt
