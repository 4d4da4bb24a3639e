#pragma once

// Arrays on a device with the addresses of the matrices of a stack, as batched routines take them.

#include <array>

#include "runtime/backend.h"

namespace gpy::rt::cuda {

class MatrixAddresses {
 public:
  explicit MatrixAddresses(Backend& backend) : backend_(backend) {}

  // Addresses from `first` on, `step` bytes apart. A script that solves in a loop has its memory at
  // the same few places, so the last arrays are kept: nothing is written for those again.
  Ref<Buffer> of(const void* first, int64_t step, int64_t count);

 private:
  struct Kept {
    const void* first = nullptr;
    int64_t step = 0, count = 0;
    Ref<Buffer> addresses;
  };
  static constexpr int64_t kMostKept = 1 << 16;  // matrices: half a megabyte

  Ref<Buffer> write(const void* first, int64_t step, int64_t count);

  Backend& backend_;
  std::array<Kept, 8> kept_;  // as many as two results and what they are made of take in turns
  size_t oldest_ = 0;
};

}  // namespace gpy::rt::cuda
