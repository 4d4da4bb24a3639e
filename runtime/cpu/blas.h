#pragma once

// Linear algebra on the host: OpenBLAS, opened at first use.

#include <memory>

#include "runtime/linalg/linalg.h"

namespace gpy::rt {

std::unique_ptr<Linalg> make_host_linalg();

// OpenBLAS 0.3.21 takes newer AVX-512 processors for older ones and loses a third of its speed. Sets
// OPENBLAS_CORETYPE unless it is set. For a program's main only: it changes the environment.
void choose_openblas_core_type();

}  // namespace gpy::rt
