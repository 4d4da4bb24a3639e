#pragma once

#include <memory>

#include "runtime/backend.h"
#include "runtime/cuda/context.h"
#include "runtime/linalg/linalg.h"

namespace gpy::rt::cuda {

// cuBLAS for products, cuSOLVER for factorisations, each opened by its first use.
std::unique_ptr<Linalg> make_cuda_linalg(Context& context, Backend& backend);

}  // namespace gpy::rt::cuda
