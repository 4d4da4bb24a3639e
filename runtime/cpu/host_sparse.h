#pragma once

// Products of sparse matrices on the host: the rows over all cores, a turned product on one.

#include <memory>

#include "runtime/core/thread_pool.h"
#include "runtime/sparse/sparse.h"

namespace gpy::rt {

// Keeps a reference to the threads.
std::unique_ptr<Sparse> make_host_sparse(ThreadPool& threads);

}  // namespace gpy::rt
