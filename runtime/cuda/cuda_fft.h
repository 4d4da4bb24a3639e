#pragma once

#include <memory>

#include "runtime/backend.h"
#include "runtime/cuda/context.h"
#include "runtime/fft/fft.h"

namespace gpy::rt::cuda {

// Fourier transforms by cuFFT. Throws kNotImplemented where the library is not found, or is too new
// for the driver.
std::unique_ptr<Fft> make_cuda_fft(Context& context, Backend& backend);

}  // namespace gpy::rt::cuda
