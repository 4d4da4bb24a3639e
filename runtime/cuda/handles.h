#pragma once

// Owners of the driver's handles: each owns one, so that a failure half-way leaves nothing behind.
// They are made while the context is current and give it back unless the device is gone.

#include <utility>

#include "runtime/cuda/context.h"

namespace gpy::rt::cuda {

// `give_back` is the driver function that takes the handle: &Driver::cuEventDestroy.
template <class Handle, auto give_back> class Owned {
 public:
  Owned() = default;
  Owned(Context& context, Handle handle) : context_(&context), handle_(handle) {}
  Owned(Owned&& other) noexcept
      : context_(other.context_), handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (!handle_) return;
    if (const Context::Ending ending{*context_}) (context_->driver().*give_back)(handle_);
  }

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != Handle{}; }

 private:
  Context* context_ = nullptr;
  Handle handle_ = {};
};

using Stream = Owned<CUstream, &Driver::cuStreamDestroy>;
using Event = Owned<CUevent, &Driver::cuEventDestroy>;
using PinnedBytes = Owned<void*, &Driver::cuMemFreeHost>;
using LoadedModule = Owned<CUmodule, &Driver::cuModuleUnload>;

inline Stream make_stream(Context& context) {
  CUstream stream = nullptr;
  GPY_CU(context, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  return {context, stream};
}

// An event without timing.
inline Event make_event(Context& context) {
  CUevent event = nullptr;
  GPY_CU(context, cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  return {context, event};
}

inline PinnedBytes make_pinned(Context& context, size_t bytes) {
  void* data = nullptr;
  GPY_CU(context, cuMemHostAlloc(&data, bytes, 0));
  return {context, data};
}

}  // namespace gpy::rt::cuda
