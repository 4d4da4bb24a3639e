#pragma once

#include <memory>

#include "runtime/core/thread_pool.h"
#include "runtime/linalg/linalg.h"

namespace gpy::rt {

// Products by BLAS where it has them, by our own loops for every other type or without a library;
// factorisations by LAPACK.
std::unique_ptr<Linalg> make_cpu_linalg(ThreadPool& threads);

}  // namespace gpy::rt
