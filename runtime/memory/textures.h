#pragma once

// A device's arrays of texels, and the textures and surfaces through which kernels read and write
// them. Where the CPU stands in, its kernels sample as a GPU does (host_kernel/texture_support.h).
//
// Whatever fails throws CudaError with CUDA's code. Numbers of modes and kinds are CUDA's. Copies
// are in the order of a queue; memory of the host may be used again when they return.

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/core/queue.h"

namespace gpy::rt {

// Channels of one width: 8, 16 or 32 bits, 1, 2 or 4 of them.
struct TexelFormat {
  enum class Kind : int { kSigned = 0, kUnsigned = 1, kFloat = 2 };
  Kind kind = Kind::kFloat;
  int bits = 32;
  int channels = 1;

  size_t bytes() const { return static_cast<size_t>(bits / 8 * channels); }
};

// Texels along each axis; 0 where there is no such axis. The layers of a layered array are its
// depth.
struct TexelExtents {
  size_t width = 0, height = 0, depth = 0;
};

enum TexelArrayFlags : unsigned { kLayeredArray = 1, kSurfaceArray = 2, kCubemapArray = 4 };

// A box of bytes in an array of texels, and the dense or pitched memory beside it.
struct TexelBox {
  size_t x_bytes = 0, y = 0, z = 0;  // where it begins in the array
  size_t width_bytes = 0, height = 1, depth = 1;
  size_t pitch = 0;         // of a row of the memory
  size_t slice_height = 1;  // rows from a slice of the memory to the next
  bool on_host = false;     // the memory is an array's of the host, which no device need know

  bool is_empty() const { return width_bytes == 0 || height == 0 || depth == 0; }
  // From the memory's first byte to its last one.
  size_t memory_bytes() const {
    return is_empty() ? 0 : ((depth - 1) * slice_height + height - 1) * pitch + width_bytes;
  }
};

// The texels of a texture.
struct TextureResource {
  enum class Kind : int { kArray = 0, kLinear = 2, kPitched = 3 };
  Kind kind = Kind::kArray;
  uintptr_t array = 0;           // kArray
  const void* memory = nullptr;  // of the others
  TexelFormat format = {};
  size_t bytes = 0;  // kLinear
  size_t width = 0, height = 0, pitch = 0;
};

struct TextureOptions {
  enum : int { kWrap = 0, kClamp = 1, kMirror = 2, kBorder = 3 };
  std::array<int, 3> address = {kWrap, kWrap, kWrap};
  bool linear = false;      // interpolates; else the nearest texel
  bool as_floats = false;   // integers as fractions of their range
  bool normalized = false;  // coordinates from 0 to 1
  bool srgb = false;
  std::array<float, 4> border = {};
  unsigned anisotropy = 0;
};

class Textures {
 public:
  virtual ~Textures() = default;

  virtual uintptr_t make_array(const TexelFormat& format, const TexelExtents& extents,
                               unsigned flags) = 0;
  // Waits for the device's work, as for the others that end.
  virtual void free_array(uintptr_t array) = 0;
  virtual void copy_in(uintptr_t array, const TexelBox& box, const void* from, Queue& queue) = 0;
  virtual void copy_out(void* to, uintptr_t array, const TexelBox& box, Queue& queue) = 0;

  virtual uint64_t make_texture(const TextureResource& resource, const TextureOptions& options) = 0;
  virtual void end_texture(uint64_t texture) = 0;
  virtual uint64_t make_surface(uintptr_t array) = 0;
  virtual void end_surface(uint64_t surface) = 0;
};

// Throw CudaError (invalid value) for what no device takes.
void check_format(const TexelFormat& format);
void check_array(const TexelFormat& format, const TexelExtents& extents, unsigned flags);
void check_texture(const TextureResource& resource, const TextureOptions& options);

}  // namespace gpy::rt
