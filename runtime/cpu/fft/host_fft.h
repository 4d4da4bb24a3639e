#pragma once

// The family of Fourier transforms on the host, over all cores.

#include <memory>

#include "runtime/core/thread_pool.h"
#include "runtime/fft/fft.h"

namespace gpy::rt {

// Keeps a reference to the threads.
std::unique_ptr<Fft> make_host_fft(ThreadPool& threads);

}  // namespace gpy::rt
