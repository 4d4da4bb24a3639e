#pragma once

#include <memory>

#include "runtime/backend.h"
#include "runtime/cuda/compiler.h"
#include "runtime/cuda/context.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt::cuda {

// Users' CUDA C++ through NVRTC, with CUDA's own defaults: fused multiply-add is on.
std::unique_ptr<UserKernels> make_cuda_user_kernels(Context& context, Compiler& compiler,
                                                    Backend& backend);

}  // namespace gpy::rt::cuda
