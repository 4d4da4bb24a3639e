#pragma once

// Copies between host memory and one GPU. Every call is done with the host memory when it returns.

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/cuda/handles.h"

namespace gpy::rt::cuda {

class StagingLane;

class Transfers {
 public:
  explicit Transfers(Context& context);
  ~Transfers();

  void upload(void* device, const void* host, size_t bytes);
  void download(void* host, const void* device, size_t bytes);

 private:
  void* bounce();
  bool is_pinned(const void* host) const;
  bool stages(const void* host, size_t bytes) const;
  // Runs copy(lane, which of them) for every lane, each on a thread of its own.
  template <class Copy> void in_lanes(Copy&& copy);

  Context& context_;
  PinnedBytes bounce_;
  Event ready_;
  std::vector<std::unique_ptr<StagingLane>> lanes_;
};

}  // namespace gpy::rt::cuda
