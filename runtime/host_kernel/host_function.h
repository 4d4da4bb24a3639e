#pragma once

// Launches of kernels on the host: blocks shared by the threads, faults and interrupts reported as
// errors.

#include <memory>
#include <string>

#include "runtime/core/thread_pool.h"
#include "runtime/host_kernel/block_stacks.h"
#include "runtime/host_kernel/kernel_object.h"
#include "runtime/host_kernel/stop_watch.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

struct HostThreads {
  ThreadPool& pool;
  StopWatch stops;
  BlockStacksPool stacks;
};

// `name` is what errors call the kernel.
std::shared_ptr<UserFunction> make_host_function(std::shared_ptr<KernelObject> object,
                                                 Launcher launcher, HostThreads& threads,
                                                 std::string name, ThreadsRun threads_run);

}  // namespace gpy::rt
