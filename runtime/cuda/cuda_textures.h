#pragma once

// Arrays, textures and surfaces of one GPU, by the driver.

#include <exception>

#include "runtime/cuda/context.h"
#include "runtime/memory/textures.h"

namespace gpy::rt::cuda {

class CudaTextures final : public Textures {
 public:
  explicit CudaTextures(Context& context) : context_(context) {}

  uintptr_t make_array(const TexelFormat& format, const TexelExtents& extents,
                       unsigned flags) override;
  void free_array(uintptr_t array) override;
  void copy_in(uintptr_t array, const TexelBox& box, const void* from, Queue& queue) override;
  void copy_out(void* to, uintptr_t array, const TexelBox& box, Queue& queue) override;
  uint64_t make_texture(const TextureResource& resource, const TextureOptions& options) override;
  void end_texture(uint64_t texture) override;
  uint64_t make_surface(uintptr_t array) override;
  void end_surface(uint64_t surface) override;

 private:
  void finish();
  std::exception_ptr try_finish();

  Context& context_;
};

}  // namespace gpy::rt::cuda
