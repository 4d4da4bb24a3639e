#include "runtime/cuda/cuda_textures.h"

#include <algorithm>

#include "runtime/core/cuda_error.h"

namespace gpy::rt::cuda {
namespace {

CUarray array_of(uintptr_t handle) { return reinterpret_cast<CUarray>(handle); }
CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

CUarray_format driver_format(const TexelFormat& format) {
  using Kind = TexelFormat::Kind;
  const int width = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
  constexpr CUarray_format kSigned[] = {CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16,
                                        CU_AD_FORMAT_SIGNED_INT32};
  constexpr CUarray_format kUnsigned[] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16,
                                          CU_AD_FORMAT_UNSIGNED_INT32};
  if (format.kind == Kind::kFloat) return width == 1 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  return (format.kind == Kind::kSigned ? kSigned : kUnsigned)[width];
}

TexelFormat::Kind kind_of(CUarray_format format) {
  using Kind = TexelFormat::Kind;
  if (format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT) return Kind::kFloat;
  return Kind::kUnsigned;
}

int bits_of(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_UNSIGNED_INT8: return 8;
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 16;
    default: return 32;
  }
}

// A copy between an array and memory that the driver knows by its address.
CUDA_MEMCPY3D copy_of(const TexelBox& box) {
  CUDA_MEMCPY3D copy = {};
  copy.WidthInBytes = box.width_bytes;
  copy.Height = box.height;
  copy.Depth = box.depth;
  return copy;
}

// tex2Dgather reads arrays that were made for it, which may be this large.
bool may_be_gathered(const TexelExtents& extents) {
  constexpr size_t kMost = 16384;
  return extents.depth == 0 && extents.height > 0 && extents.width <= kMost &&
         extents.height <= kMost;
}

}  // namespace

// Waits for all that may use what ends.
void CudaTextures::finish() { GPY_CU(context_, cuCtxSynchronize()); }

uintptr_t CudaTextures::make_array(const TexelFormat& format, const TexelExtents& extents,
                                   unsigned flags) {
  check_array(format, extents, flags);
  const Context::Scope scope(context_);
  CUDA_ARRAY3D_DESCRIPTOR wanted = {};
  wanted.Width = extents.width;
  wanted.Height = extents.height;
  wanted.Depth = extents.depth;
  wanted.Format = driver_format(format);
  wanted.NumChannels = static_cast<unsigned>(format.channels);
  wanted.Flags = (flags & kLayeredArray ? CUDA_ARRAY3D_LAYERED : 0) |
                 (flags & kSurfaceArray ? CUDA_ARRAY3D_SURFACE_LDST : 0) |
                 (may_be_gathered(extents) ? CUDA_ARRAY3D_TEXTURE_GATHER : 0);
  CUarray array = nullptr;
  const CUresult code = context_.driver().cuArray3DCreate(&array, &wanted);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw CudaError(CudaCode::kMemoryAllocation);
  context_.check(code, "cuArray3DCreate");
  return reinterpret_cast<uintptr_t>(array);
}

void CudaTextures::free_array(uintptr_t array) {
  const Context::Scope scope(context_);
  finish();
  GPY_CU(context_, cuArrayDestroy(array_of(array)));
}

void CudaTextures::copy_in(uintptr_t array, const TexelBox& box, const void* from, Queue& queue) {
  if (box.is_empty()) return;
  const Context::Scope scope(context_);
  CUDA_MEMCPY3D copy = copy_of(box);
  copy.srcMemoryType = box.on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_UNIFIED;
  copy.srcHost = from;
  copy.srcDevice = address_of(from);
  copy.srcPitch = box.pitch;
  copy.srcHeight = box.slice_height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array_of(array);
  copy.dstXInBytes = box.x_bytes;
  copy.dstY = box.y;
  copy.dstZ = box.z;
  GPY_CU(context_, cuMemcpy3DAsync(&copy, stream_of(queue)));
  GPY_CU(context_, cuStreamSynchronize(stream_of(queue)));
}

void CudaTextures::copy_out(void* to, uintptr_t array, const TexelBox& box, Queue& queue) {
  if (box.is_empty()) return;
  const Context::Scope scope(context_);
  CUDA_MEMCPY3D copy = copy_of(box);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array_of(array);
  copy.srcXInBytes = box.x_bytes;
  copy.srcY = box.y;
  copy.srcZ = box.z;
  copy.dstMemoryType = box.on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_UNIFIED;
  copy.dstHost = to;
  copy.dstDevice = address_of(to);
  copy.dstPitch = box.pitch;
  copy.dstHeight = box.slice_height;
  GPY_CU(context_, cuMemcpy3DAsync(&copy, stream_of(queue)));
  GPY_CU(context_, cuStreamSynchronize(stream_of(queue)));
}

uint64_t CudaTextures::make_texture(const TextureResource& resource,
                                    const TextureOptions& options) {
  using Kind = TextureResource::Kind;
  const Context::Scope scope(context_);
  TextureResource known = resource;
  if (resource.kind == Kind::kArray && resource.array != 0) {
    CUDA_ARRAY3D_DESCRIPTOR array = {};
    GPY_CU(context_, cuArray3DGetDescriptor(&array, array_of(resource.array)));
    known.format = {kind_of(array.Format), bits_of(array.Format),
                    static_cast<int>(array.NumChannels)};
  }
  check_texture(known, options);
  CUDA_RESOURCE_DESC what = {};
  if (resource.kind == Kind::kArray) {
    what.resType = CU_RESOURCE_TYPE_ARRAY;
    what.res.array.hArray = array_of(resource.array);
  } else if (resource.kind == Kind::kLinear) {
    what.resType = CU_RESOURCE_TYPE_LINEAR;
    what.res.linear.devPtr = address_of(resource.memory);
    what.res.linear.format = driver_format(resource.format);
    what.res.linear.numChannels = static_cast<unsigned>(resource.format.channels);
    what.res.linear.sizeInBytes = resource.bytes;
  } else {
    what.resType = CU_RESOURCE_TYPE_PITCH2D;
    what.res.pitch2D.devPtr = address_of(resource.memory);
    what.res.pitch2D.format = driver_format(resource.format);
    what.res.pitch2D.numChannels = static_cast<unsigned>(resource.format.channels);
    what.res.pitch2D.width = resource.width;
    what.res.pitch2D.height = resource.height;
    what.res.pitch2D.pitchInBytes = resource.pitch;
  }
  CUDA_TEXTURE_DESC how = {};
  for (size_t i = 0; i < options.address.size(); ++i) {
    how.addressMode[i] = static_cast<CUaddress_mode>(options.address[i]);
  }
  how.filterMode = options.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  how.flags = (options.as_floats ? 0u : unsigned{CU_TRSF_READ_AS_INTEGER}) |
              (options.normalized ? unsigned{CU_TRSF_NORMALIZED_COORDINATES} : 0u) |
              (options.srgb ? unsigned{CU_TRSF_SRGB} : 0u);
  how.maxAnisotropy = options.anisotropy;
  std::ranges::copy(options.border, how.borderColor);
  CUtexObject texture = 0;
  GPY_CU(context_, cuTexObjectCreate(&texture, &what, &how, nullptr));
  return texture;
}

// An object ends even where its work cannot be waited for.
std::exception_ptr CudaTextures::try_finish() {
  try {
    finish();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void CudaTextures::end_texture(uint64_t texture) {
  const Context::Scope scope(context_);
  const auto failure = try_finish();
  GPY_CU(context_, cuTexObjectDestroy(texture));
  if (failure) std::rethrow_exception(failure);
}

uint64_t CudaTextures::make_surface(uintptr_t array) {
  const Context::Scope scope(context_);
  CUDA_RESOURCE_DESC what = {};
  what.resType = CU_RESOURCE_TYPE_ARRAY;
  what.res.array.hArray = array_of(array);
  CUsurfObject surface = 0;
  GPY_CU(context_, cuSurfObjectCreate(&surface, &what));
  return surface;
}

void CudaTextures::end_surface(uint64_t surface) {
  const Context::Scope scope(context_);
  const auto failure = try_finish();
  GPY_CU(context_, cuSurfObjectDestroy(surface));
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gpy::rt::cuda
