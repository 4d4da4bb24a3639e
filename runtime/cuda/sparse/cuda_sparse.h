#pragma once

#include <memory>

#include "runtime/backend.h"
#include "runtime/cuda/context.h"
#include "runtime/sparse/sparse.h"

namespace gpy::rt::cuda {

// The sparse family of one GPU. Null where the library of its kernels is not there, or does not
// work with this driver or device.
std::unique_ptr<Sparse> make_cuda_sparse(Context& context, Backend& backend);

}  // namespace gpy::rt::cuda
