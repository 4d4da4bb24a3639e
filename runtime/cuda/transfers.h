#pragma once

// Copies between host memory and one GPU. Every call is done with the host memory when it returns.

#include <cstddef>

#include "runtime/cuda/context.h"

namespace gpy::rt::cuda {

class Transfers {
 public:
  explicit Transfers(Context& context) : context_(context) {}
  ~Transfers();

  void upload(void* device, const void* host, size_t bytes);
  void download(void* host, const void* device, size_t bytes);

 private:
  void* bounce();
  bool is_pinned(const void* host) const;

  Context& context_;
  void* bounce_ = nullptr;
};

}  // namespace gpy::rt::cuda
