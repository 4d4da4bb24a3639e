#pragma once

#include <memory>

#include "runtime/backend.h"
#include "runtime/cuda/context.h"
#include "runtime/sorting/sorting.h"

namespace gpy::rt::cuda {

// The sort family of one GPU. Null where the library of its kernels is not there, or does not work
// with this driver or device.
std::unique_ptr<Sorting> make_cuda_sorting(Context& context, Backend& backend);

}  // namespace gpy::rt::cuda
