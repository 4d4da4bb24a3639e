#include "runtime/cpu/host_textures.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "runtime/backend.h"
#include "runtime/core/cuda_error.h"
#include "runtime/memory/account.h"

namespace gpy::rt {

namespace {

#include "runtime/host_kernel/texture_support.h"

[[noreturn]] void refuse(CudaCode code = CudaCode::kInvalidValue, const char* what = "") {
  throw CudaError(code, what);
}

}  // namespace

struct HostTextures::Array {
  TexelFormat format;
  TexelExtents extents;
  unsigned flags;
  Charge charge;
  std::vector<unsigned char> bytes;

  size_t height() const { return std::max<size_t>(extents.height, 1); }
  size_t depth() const { return std::max<size_t>(extents.depth, 1); }
  size_t row() const { return extents.width * format.bytes(); }
  // The system overcommits: it promises more than it has.
  void set_bytes(size_t most) {
    const size_t count = row() * height() * depth();
    if (count > most) refuse(CudaCode::kMemoryAllocation);
    charge = Charge(count);
    try {
      bytes.resize(count);
    } catch (const std::bad_alloc&) {
      refuse(CudaCode::kMemoryAllocation);
    }
  }
};

struct HostTextures::Object {
  _gpy_texels texels = {};
};

HostTextures::HostTextures(RawMemory& memory, Backend& backend)
    : memory_(memory), backend_(backend) {}
HostTextures::~HostTextures() = default;

uintptr_t HostTextures::make_array(const TexelFormat& format, const TexelExtents& extents,
                                   unsigned flags) {
  check_array(format, extents, flags);
  auto made = std::make_unique<Array>(Array{format, extents, flags, {}, {}});
  constexpr size_t kMost = size_t{1} << 40;
  if (extents.width > kMost / made->height() / made->depth()) refuse();
  made->set_bytes(backend_.device_info().memory_total);
  const std::lock_guard lock(mutex_);
  const auto handle = reinterpret_cast<uintptr_t>(made.get());
  arrays_[handle] = std::move(made);
  return handle;
}

void HostTextures::free_array(uintptr_t array) {
  const std::lock_guard lock(mutex_);
  if (arrays_.erase(array) == 0) refuse(CudaCode::kInvalidResourceHandle);
}

const HostTextures::Array& HostTextures::array(uintptr_t handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = arrays_.find(handle);
  if (found == arrays_.end()) refuse(CudaCode::kInvalidResourceHandle);
  return *found->second;
}

void HostTextures::check_box(const Array& array, const TexelBox& box) const {
  const auto fits = [](size_t begin, size_t count, size_t most) {
    return begin <= most && count <= most - begin;
  };
  if (!fits(box.x_bytes, box.width_bytes, array.row()) ||
      !fits(box.y, box.height, array.height()) || !fits(box.z, box.depth, array.depth())) {
    refuse(CudaCode::kInvalidValue, "the copy goes beyond the array");
  }
  if (box.pitch < box.width_bytes || box.slice_height < box.height) {
    refuse(CudaCode::kInvalidPitchValue);
  }
}

namespace {

// Calls copy(offset in the array, offset in the memory) for each row.
template <class Copy> void each_row(const TexelBox& box, size_t row, size_t slice, Copy&& copy) {
  for (size_t z = 0; z < box.depth; ++z) {
    for (size_t y = 0; y < box.height; ++y) {
      copy((box.z + z) * slice + (box.y + y) * row + box.x_bytes,
           (z * box.slice_height + y) * box.pitch);
    }
  }
}

}  // namespace

void HostTextures::copy_in(uintptr_t handle, const TexelBox& box, const void* from, Queue&) {
  const Array& to = array(handle);
  check_box(to, box);
  if (!box.on_host && !memory_.reaches(from, box.memory_bytes())) refuse();
  auto* const bytes = const_cast<unsigned char*>(to.bytes.data());
  each_row(box, to.row(), to.row() * to.height(), [&](size_t in_array, size_t in_memory) {
    std::memcpy(bytes + in_array, static_cast<const char*>(from) + in_memory, box.width_bytes);
  });
}

void HostTextures::copy_out(void* to, uintptr_t handle, const TexelBox& box, Queue&) {
  const Array& from = array(handle);
  check_box(from, box);
  if (!box.on_host && !memory_.reaches(to, box.memory_bytes())) refuse();
  each_row(box, from.row(), from.row() * from.height(), [&](size_t in_array, size_t in_memory) {
    std::memcpy(static_cast<char*>(to) + in_memory, from.bytes.data() + in_array, box.width_bytes);
  });
}

namespace {

void set_format(_gpy_texels& texels, const TexelFormat& format) {
  texels.kind = static_cast<int>(format.kind);
  texels.bits = format.bits;
  texels.channels = format.channels;
}

void set_extents(_gpy_texels& texels, size_t width, size_t height, size_t depth, size_t row) {
  texels.width = static_cast<long long>(width);
  texels.height = static_cast<long long>(height);
  texels.depth = static_cast<long long>(depth);
  texels.row = static_cast<long long>(row);
  texels.slice = static_cast<long long>(row * height);
}

void set_options(_gpy_texels& texels, const TextureOptions& options) {
  std::ranges::copy(options.address, texels.address);
  std::ranges::copy(options.border, texels.border);
  texels.linear = options.linear;
  texels.as_floats = options.as_floats;
  texels.normalized = options.normalized;
  texels.srgb = options.srgb && texels.bits == 8;
}

}  // namespace

uint64_t HostTextures::make_texture(const TextureResource& resource,
                                    const TextureOptions& options) {
  using Kind = TextureResource::Kind;
  TextureResource known = resource;
  auto made = std::make_unique<Object>();
  _gpy_texels& texels = made->texels;
  if (resource.kind == Kind::kArray && resource.array != 0) {
    const Array& from = array(resource.array);
    known.format = from.format;
    texels.data = const_cast<unsigned char*>(from.bytes.data());
    set_extents(texels, from.extents.width, from.height(), from.depth(), from.row());
  }
  check_texture(known, options);
  if (resource.kind == Kind::kLinear) {
    const size_t count = resource.bytes / resource.format.bytes();
    set_extents(texels, count, 1, 1, resource.bytes);
  } else if (resource.kind == Kind::kPitched) {
    set_extents(texels, resource.width, resource.height, 1, resource.pitch);
  }
  if (resource.kind != Kind::kArray) {
    texels.data = static_cast<unsigned char*>(const_cast<void*>(resource.memory));
    const auto bytes = static_cast<size_t>(texels.row * (texels.height - 1)) +
                       static_cast<size_t>(texels.width) * resource.format.bytes();
    if (!memory_.reaches(resource.memory, bytes)) refuse();
  }
  set_format(texels, known.format);
  set_options(texels, options);
  return keep(std::move(made));
}

uint64_t HostTextures::make_surface(uintptr_t handle) {
  const Array& of = array(handle);
  if (!(of.flags & kSurfaceArray)) {
    refuse(CudaCode::kInvalidValue, "the array was not made for surfaces");
  }
  auto made = std::make_unique<Object>();
  made->texels.data = const_cast<unsigned char*>(of.bytes.data());
  set_extents(made->texels, of.extents.width, of.height(), of.depth(), of.row());
  set_format(made->texels, of.format);
  return keep(std::move(made));
}

uint64_t HostTextures::keep(std::unique_ptr<Object> object) {
  const auto handle = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(&object->texels));
  const std::lock_guard lock(mutex_);
  objects_[handle] = std::move(object);
  return handle;
}

void HostTextures::end(uint64_t object) {
  const std::lock_guard lock(mutex_);
  if (objects_.erase(object) == 0) refuse(CudaCode::kInvalidResourceHandle);
}

void HostTextures::end_texture(uint64_t texture) { end(texture); }
void HostTextures::end_surface(uint64_t surface) { end(surface); }

}  // namespace gpy::rt
