#include "runtime/cuda/ahead/kernel_library.h"

namespace gpy::rt::cuda {

void* open_kernel_library() { return open_own_library("libgpy_cuda_kernels.so").handle; }

void* KernelCalls::Lender::lend(void* self, size_t bytes) noexcept {
  Lender& lender = *static_cast<Lender*>(self);
  try {
    lender.lent_.push_back(lender.backend_.allocate(bytes));
    return lender.lent_.back()->data();
  } catch (...) {
    lender.error_ = std::current_exception();
    return nullptr;
  }
}

}  // namespace gpy::rt::cuda
