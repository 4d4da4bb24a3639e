#pragma once

// Work on sparse matrices on the host: rows over all cores, a product with a turned matrix on one.

#include <memory>

#include "runtime/core/thread_pool.h"
#include "runtime/sparse/sparse.h"

namespace gpy::rt {

// Keeps a reference to the threads.
std::unique_ptr<Sparse> make_host_sparse(ThreadPool& threads);
std::unique_ptr<SparseSystems> make_host_sparse_systems();

}  // namespace gpy::rt
