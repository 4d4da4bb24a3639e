// Arrays, textures and surfaces of the fake driver: it keeps texels as bytes, and reads none.
#include <cuda.h>

#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "fake_memory.h"

namespace {

struct Array {
  CUDA_ARRAY3D_DESCRIPTOR what;
  size_t row, height;
  std::vector<char> bytes;
};

struct State {
  std::mutex mutex;
  std::set<const Array*> arrays;
  std::set<unsigned long long> objects;
  unsigned long long made = 0;
};

State& state() {
  static State& state = *new State;
  return state;
}

size_t channel_bytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 2;
    default: return 4;
  }
}

Array* find(CUarray handle) {
  auto* const array = reinterpret_cast<Array*>(handle);
  const std::lock_guard lock(state().mutex);
  return state().arrays.contains(array) ? array : nullptr;
}

CUresult array_create(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* what) {
  FAKE_ENTER("cuArray3DCreate");
  const size_t row = what->Width * what->NumChannels * channel_bytes(what->Format);
  const size_t height = what->Height ? what->Height : 1, depth = what->Depth ? what->Depth : 1;
  if (row == 0) return CUDA_ERROR_INVALID_VALUE;
  if (row * height * depth > size_t{1} << 30) return CUDA_ERROR_OUT_OF_MEMORY;
  auto* const made = new Array{*what, row, height, std::vector<char>(row * height * depth)};
  const std::lock_guard lock(state().mutex);
  state().arrays.insert(made);
  *array = reinterpret_cast<CUarray>(made);
  return CUDA_SUCCESS;
}

CUresult array_destroy(CUarray array) {
  FAKE_ENTER("cuArrayDestroy");
  Array* const known = find(array);
  if (!known) return CUDA_ERROR_INVALID_HANDLE;
  const std::lock_guard lock(state().mutex);
  state().arrays.erase(known);
  delete known;
  return CUDA_SUCCESS;
}

CUresult array_descriptor(CUDA_ARRAY3D_DESCRIPTOR* what, CUarray array) {
  FAKE_ENTER("cuArray3DGetDescriptor");
  const Array* const known = find(array);
  if (!known) return CUDA_ERROR_INVALID_HANDLE;
  *what = known->what;
  return CUDA_SUCCESS;
}

CUresult copy(const CUDA_MEMCPY3D* copy, CUstream) {
  FAKE_ENTER("cuMemcpy3DAsync");
  const bool into = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY;
  Array* const array = find(into ? copy->dstArray : copy->srcArray);
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  const size_t x = into ? copy->dstXInBytes : copy->srcXInBytes;
  const size_t y = into ? copy->dstY : copy->srcY, z = into ? copy->dstZ : copy->srcZ;
  const size_t pitch = into ? copy->srcPitch : copy->dstPitch;
  const size_t rows = into ? copy->srcHeight : copy->dstHeight;
  char* const memory = reinterpret_cast<char*>(into ? copy->srcDevice : copy->dstDevice);
  for (size_t k = 0; k < copy->Depth; ++k) {
    for (size_t j = 0; j < copy->Height; ++j) {
      const size_t at = ((z + k) * array->height + y + j) * array->row + x;
      if (at + copy->WidthInBytes > array->bytes.size()) return CUDA_ERROR_INVALID_VALUE;
      char* const texels = array->bytes.data() + at;
      char* const other = memory + (k * rows + j) * pitch;
      std::memcpy(into ? texels : other, into ? other : texels, copy->WidthInBytes);
    }
  }
  return CUDA_SUCCESS;
}

CUresult add(unsigned long long* object) {
  const std::lock_guard lock(state().mutex);
  *object = ++state().made;
  state().objects.insert(*object);
  return CUDA_SUCCESS;
}

CUresult remove(unsigned long long object) {
  const std::lock_guard lock(state().mutex);
  return state().objects.erase(object) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult texture_create(CUtexObject* texture, const CUDA_RESOURCE_DESC* what,
                        const CUDA_TEXTURE_DESC*, const CUDA_RESOURCE_VIEW_DESC*) {
  FAKE_ENTER("cuTexObjectCreate");
  if (what->resType == CU_RESOURCE_TYPE_ARRAY && !find(what->res.array.hArray))
    return CUDA_ERROR_INVALID_HANDLE;
  return add(texture);
}

CUresult texture_destroy(CUtexObject texture) {
  FAKE_ENTER("cuTexObjectDestroy");
  return remove(texture);
}

CUresult surface_create(CUsurfObject* surface, const CUDA_RESOURCE_DESC* what) {
  FAKE_ENTER("cuSurfObjectCreate");
  const Array* const array = find(what->res.array.hArray);
  if (!array) return CUDA_ERROR_INVALID_HANDLE;
  if (!(array->what.Flags & CUDA_ARRAY3D_SURFACE_LDST)) return CUDA_ERROR_INVALID_VALUE;
  return add(surface);
}

CUresult surface_destroy(CUsurfObject surface) {
  FAKE_ENTER("cuSurfObjectDestroy");
  return remove(surface);
}

}  // namespace

std::map<std::string, void*> fake_texture_entries() {
  return {
      {"cuArray3DCreate",
       fake_address(array_create, static_cast<decltype(&::cuArray3DCreate)>(nullptr))},
      FAKE_ENTRY(cuArrayDestroy, array_destroy),
      {"cuArray3DGetDescriptor",
       fake_address(array_descriptor, static_cast<decltype(&::cuArray3DGetDescriptor)>(nullptr))},
      {"cuMemcpy3DAsync", fake_address(copy, static_cast<decltype(&::cuMemcpy3DAsync)>(nullptr))},
      FAKE_ENTRY(cuTexObjectCreate, texture_create),
      FAKE_ENTRY(cuTexObjectDestroy, texture_destroy),
      FAKE_ENTRY(cuSurfObjectCreate, surface_create),
      FAKE_ENTRY(cuSurfObjectDestroy, surface_destroy),
  };
}
