#include "runtime/memory/textures.h"

#include <algorithm>

#include "runtime/core/cuda_error.h"

namespace gpy::rt {

static void require(bool holds, const char* what) {
  if (!holds) throw CudaError(CudaCode::kInvalidValue, what);
}

void check_format(const TexelFormat& format) {
  const int bits = format.bits, channels = format.channels;
  require(bits == 8 || bits == 16 || bits == 32, "channels have 8, 16 or 32 bits");
  require(channels == 1 || channels == 2 || channels == 4, "texels have 1, 2 or 4 channels");
  require(format.kind != TexelFormat::Kind::kFloat || bits > 8, "floats have 16 or 32 bits");
}

void check_array(const TexelFormat& format, const TexelExtents& extents, unsigned flags) {
  check_format(format);
  require(extents.width > 0, "an array has a width");
  const bool layered = flags & kLayeredArray;
  require(layered ? extents.depth > 0 : extents.height > 0 || extents.depth == 0,
          layered ? "a layered array has a depth" : "an array with a depth has a height");
  require((flags & ~unsigned{kLayeredArray | kSurfaceArray}) == 0,
          "arrays are plain, layered, or for surfaces");
}

void check_texture(const TextureResource& resource, const TextureOptions& options) {
  using Kind = TextureResource::Kind;
  if (resource.kind == Kind::kArray) {
    require(resource.array != 0, "there is no array");
  } else {
    check_format(resource.format);
    require(resource.memory, "there is no memory");
    const uintptr_t address = reinterpret_cast<uintptr_t>(resource.memory);
    require(address % resource.format.bytes() == 0, "texels begin at multiples of their size");
  }
  if (resource.kind == Kind::kLinear) {
    require(resource.bytes >= resource.format.bytes(), "there is no texel");
  }
  if (resource.kind == Kind::kPitched) {
    require(resource.width > 0 && resource.height > 0, "the texels have a width and a height");
    constexpr size_t kMost = size_t{1} << 30;  // no device takes half as many
    require(resource.width <= kMost && resource.height <= kMost && resource.pitch <= kMost,
            "so many texels are in no texture");
    require(resource.pitch >= resource.width * resource.format.bytes(), "rows overlap");
  }
  for (const int mode : options.address) require(mode >= 0 && mode <= 3, "no mode of addressing");
  const bool floats = resource.format.kind == TexelFormat::Kind::kFloat || options.as_floats;
  require(floats || !options.linear, "integers are not interpolated: read them as floats");
  require(!options.as_floats || resource.format.kind == TexelFormat::Kind::kFloat ||
              resource.format.bits < 32,
          "integers of 32 bits are not read as floats");
}

}  // namespace gpy::rt
