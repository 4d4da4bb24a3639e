#pragma once

// Textures of the device that the CPU stands in for: objects that its kernels sample by themselves.

#include <memory>
#include <unordered_map>

#include "runtime/core/process.h"
#include "runtime/memory/raw_memory.h"
#include "runtime/memory/textures.h"

namespace gpy::rt {

class Backend;

class HostTextures final : public Textures {
 public:
  HostTextures(RawMemory& memory, Backend& backend);
  ~HostTextures();

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
  struct Array;
  struct Object;

  const Array& array(uintptr_t handle) const;
  uint64_t keep(std::unique_ptr<Object> object);
  void end(uint64_t object);
  void check_box(const Array& array, const TexelBox& box) const;

  RawMemory& memory_;
  Backend& backend_;
  mutable ForkSafe<std::mutex> mutex_;
  std::unordered_map<uintptr_t, std::unique_ptr<Array>> arrays_;
  std::unordered_map<uint64_t, std::unique_ptr<Object>> objects_;
};

}  // namespace gpy::rt
