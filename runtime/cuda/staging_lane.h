#pragma once

// One thread's share of a large copy: a stream and two pinned buffers, of which one is filled or
// emptied while the other is on its way.

#include <cstddef>

#include "runtime/cuda/handles.h"

namespace gpy::rt::cuda {

class StagingLane {
 public:
  // 2 MB: smaller pieces cost calls, larger ones leave the other buffer waiting.
  static constexpr size_t kChunk = size_t{2} << 20;

  explicit StagingLane(Context& context);

  // Copies every `count`-th chunk from the `which`-th on, after `ready` on the device. Complete on
  // return.
  void upload(char* device, const char* host, size_t bytes, int which, int count, CUevent ready);
  void download(char* host, const char* device, size_t bytes, int which, int count, CUevent ready);

 private:
  static constexpr int kBuffers = 2;

  char* buffer(int b) const { return static_cast<char*>(buffers_[b].get()); }

  Context& context_;
  Stream stream_;
  PinnedBytes buffers_[kBuffers];
  Event done_[kBuffers];
};

}  // namespace gpy::rt::cuda
