#pragma once

#include <memory>

#include "runtime/backend.h"
#include "runtime/core/thread_pool.h"
#include "runtime/sorting/sorting.h"

namespace gpy::rt {

// Workspaces come from `memory`, whose memory it works on. Both outlive it.
std::unique_ptr<Sorting> make_cpu_sorting(Backend& memory, ThreadPool& threads);

}  // namespace gpy::rt
