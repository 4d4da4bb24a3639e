#include "runtime/cuda/cuda_raw_memory.h"

#include <cstdlib>

#include "runtime/core/cuda_error.h"

namespace gpy::rt::cuda {
namespace {

CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }
void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
CUmemoryPool pool_of(uintptr_t handle) { return reinterpret_cast<CUmemoryPool>(handle); }
uintptr_t handle_of(CUmemoryPool pool) { return reinterpret_cast<uintptr_t>(pool); }

// The driver dereferences even a null handle.
void check_pool(uintptr_t pool) {
  if (pool == 0) throw CudaError(CudaCode::kInvalidValue);
}

}  // namespace

#define GPY_RAW(call) check(context_.driver().call, #call)

void CudaRawMemory::check(CUresult code, const char* call) {
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw CudaError(code);
  context_.check(code, call);
}

CUstream CudaRawMemory::stream_or_own(Queue* queue) const {
  return queue ? stream_of(*queue) : context_.own_stream();
}

void CudaRawMemory::finish(Queue* queue) {
  if (!queue) GPY_CU(context_, cuStreamSynchronize(context_.own_stream()));
}

// As cudaMalloc aligns.
static void* system_memory(size_t bytes) {
  constexpr size_t kAlignment = 256;
  if (bytes > PTRDIFF_MAX) throw CudaError(CudaCode::kMemoryAllocation);
  void* address =
      std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (!address) throw CudaError(CudaCode::kMemoryAllocation);
  return address;
}

void CudaRawMemory::free_system_memory(void* address) {
  GPY_CU(context_, cuCtxSynchronize());
  std::free(address);
}

void* CudaRawMemory::allocate(Source source, size_t bytes, unsigned flags) {
  if (bytes == 0 && source != Source::kManaged) return nullptr;
  const Context::Scope scope(context_);
  CUdeviceptr address = 0;
  void* host = nullptr;
  switch (source) {
    case Source::kDevice: GPY_RAW(cuMemAlloc(&address, bytes)); break;
    case Source::kManaged:
      GPY_RAW(cuMemAllocManaged(&address, bytes, flags ? flags : unsigned{CU_MEM_ATTACH_GLOBAL}));
      break;
    case Source::kPinned:
      GPY_RAW(cuMemHostAlloc(&host, bytes, flags | CU_MEMHOSTALLOC_PORTABLE));
      return host;
    case Source::kOrdered: GPY_RAW(cuMemAllocAsync(&address, bytes, context_.own_stream())); break;
    case Source::kSystem: return system_memory(bytes);
  }
  return pointer(address);
}

void CudaRawMemory::free(Source source, void* address) {
  if (!address) return;
  const Context::Scope scope(context_);
  if (source == Source::kSystem) return free_system_memory(address);
  if (source == Source::kPinned) GPY_CU(context_, cuMemFreeHost(address));
  else GPY_CU(context_, cuMemFree(address_of(address)));
}

void* CudaRawMemory::allocate_ordered(size_t bytes, Queue& queue, uintptr_t pool) {
  if (bytes == 0) return nullptr;
  const Context::Scope scope(context_);
  CUdeviceptr address = 0;
  const CUstream stream = stream_of(queue);
  if (pool) GPY_RAW(cuMemAllocFromPoolAsync(&address, bytes, pool_of(pool), stream));
  else GPY_RAW(cuMemAllocAsync(&address, bytes, stream));
  return pointer(address);
}

void CudaRawMemory::free_ordered(void* address, Queue& queue) {
  if (!address) return;
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemFreeAsync(address_of(address), stream_of(queue)));
}

void CudaRawMemory::register_host(void* address, size_t bytes, unsigned flags) {
  const Context::Scope scope(context_);
  GPY_RAW(cuMemHostRegister(address, bytes, flags));
}

void CudaRawMemory::unregister_host(void* address) {
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemHostUnregister(address));
}

void CudaRawMemory::copy(void* to, const void* from, size_t bytes, Queue* queue) {
  if (bytes == 0) return;
  if (!to || !from) throw CudaError(CudaCode::kInvalidValue);
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemcpyAsync(address_of(to), address_of(from), bytes, stream_or_own(queue)));
  finish(queue);
}

void CudaRawMemory::copy_rows(void* to, const void* from, const Rows2D& rows, Queue* queue) {
  if (rows.width == 0 || rows.height == 0) return;
  if (!to || !from) throw CudaError(CudaCode::kInvalidValue);
  if (rows.to_pitch < rows.width || rows.from_pitch < rows.width) {
    throw CudaError(CudaCode::kInvalidPitchValue);
  }
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = address_of(from);
  copy.dstDevice = address_of(to);
  copy.srcPitch = rows.from_pitch;
  copy.dstPitch = rows.to_pitch;
  copy.WidthInBytes = rows.width;
  copy.Height = rows.height;
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemcpy2DAsync(&copy, stream_or_own(queue)));
  finish(queue);
}

void CudaRawMemory::fill(void* address, uint8_t value, size_t bytes, Queue* queue) {
  if (bytes == 0) return;
  if (!address) throw CudaError(CudaCode::kInvalidValue);
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemsetD8Async(address_of(address), value, bytes, stream_or_own(queue)));
  finish(queue);
}

void CudaRawMemory::prefetch(const void* address, size_t bytes, int device, Queue& queue) {
  const Context::Scope scope(context_);
  GPY_CU(context_, prefetch(address_of(address), bytes, device < 0 ? CU_DEVICE_CPU : device,
                            stream_of(queue)));
}

void CudaRawMemory::advise(const void* address, size_t bytes, int advice, int device) {
  const Context::Scope scope(context_);
  GPY_CU(context_, advise(address_of(address), bytes, static_cast<CUmem_advise>(advice),
                          device < 0 ? CU_DEVICE_CPU : device));
}

PointerFacts CudaRawMemory::facts(const void* address) {
  const Context::Scope scope(context_);
  const Driver& driver = context_.driver();
  const auto ask = [&](CUpointer_attribute which, auto& value) {
    return driver.cuPointerGetAttribute(&value, which, address_of(address));
  };
  CUmemorytype type{};
  const CUresult code = ask(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, type);
  if (code == CUDA_ERROR_INVALID_VALUE) return {};  // memory that the driver does not know
  context_.check(code, "cuPointerGetAttribute");
  PointerFacts facts;
  unsigned managed = 0;
  CUdeviceptr on_device = 0;
  void* on_host = nullptr;
  context_.check(ask(CU_POINTER_ATTRIBUTE_IS_MANAGED, managed), "cuPointerGetAttribute");
  context_.check(ask(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, facts.device), "cuPointerGetAttribute");
  // Each query fails where the memory cannot be reached from there.
  if (ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, on_device) == CUDA_SUCCESS) {
    facts.device_address = on_device;
  }
  if (ask(CU_POINTER_ATTRIBUTE_HOST_POINTER, on_host) == CUDA_SUCCESS) {
    facts.host_address = reinterpret_cast<uintptr_t>(on_host);
  }
  facts.kind = managed                      ? PointerKind::kManaged
               : type == CU_MEMORYTYPE_HOST ? PointerKind::kHost
                                            : PointerKind::kDevice;
  return facts;
}

std::pair<uintptr_t, size_t> CudaRawMemory::block(const void* address) {
  const Context::Scope scope(context_);
  const Driver& driver = context_.driver();
  CUdeviceptr first = 0;
  size_t bytes = 0;
  const auto at = address_of(address);
  const bool known =
      driver.cuPointerGetAttribute(&first, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at) ==
          CUDA_SUCCESS &&
      driver.cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at) == CUDA_SUCCESS;
  return known ? std::pair<uintptr_t, size_t>(first, bytes) : std::pair<uintptr_t, size_t>();
}

// Bytes behind a known address are not looked at: the driver's range may be less than its owner's.
bool CudaRawMemory::reaches(const void* address, size_t bytes) {
  if (bytes == 0 || facts(address).kind != PointerKind::kUnregistered) return true;
  const Context::Scope scope(context_);
  const bool pages = context_.attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0;
  return pages && is_mapped_on_host(address, bytes);
}

bool CudaRawMemory::shares_managed() {
  const Context::Scope scope(context_);
  return context_.attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) != 0;
}

uintptr_t CudaRawMemory::make_pool(const MemoryPoolOptions& options) {
  const Context::Scope scope(context_);
  CUmemPoolProps properties = {};
  properties.allocType = static_cast<CUmemAllocationType>(options.allocation);
  properties.handleTypes = static_cast<CUmemAllocationHandleType>(options.handle);
  properties.location.type = static_cast<CUmemLocationType>(options.location);
  properties.location.id = options.device;
  CUmemoryPool pool = nullptr;
  GPY_RAW(cuMemPoolCreate(&pool, &properties));
  return handle_of(pool);
}

void CudaRawMemory::destroy_pool(uintptr_t pool) {
  check_pool(pool);
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemPoolDestroy(pool_of(pool)));
}

uintptr_t CudaRawMemory::default_pool() {
  const Context::Scope scope(context_);
  CUmemoryPool pool = nullptr;
  GPY_CU(context_, cuDeviceGetDefaultMemPool(&pool, context_.device()));
  return handle_of(pool);
}

uintptr_t CudaRawMemory::current_pool() {
  const Context::Scope scope(context_);
  CUmemoryPool pool = nullptr;
  GPY_CU(context_, cuDeviceGetMemPool(&pool, context_.device()));
  return handle_of(pool);
}

void CudaRawMemory::set_current_pool(uintptr_t pool) {
  check_pool(pool);
  const Context::Scope scope(context_);
  GPY_CU(context_, cuDeviceSetMemPool(context_.device(), pool_of(pool)));
}

void CudaRawMemory::trim_pool(uintptr_t pool, size_t bytes_to_keep) {
  check_pool(pool);
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemPoolTrimTo(pool_of(pool), bytes_to_keep));
}

// The driver writes an int or a 64-bit number, by attribute; both begin with the low bytes.
uint64_t CudaRawMemory::pool_attribute(uintptr_t pool, int which) {
  check_pool(pool);
  const Context::Scope scope(context_);
  uint64_t value = 0;
  GPY_CU(context_,
         cuMemPoolGetAttribute(pool_of(pool), static_cast<CUmemPool_attribute>(which), &value));
  return value;
}

void CudaRawMemory::set_pool_attribute(uintptr_t pool, int which, uint64_t value) {
  check_pool(pool);
  const Context::Scope scope(context_);
  GPY_CU(context_,
         cuMemPoolSetAttribute(pool_of(pool), static_cast<CUmemPool_attribute>(which), &value));
}

#undef GPY_RAW

}  // namespace gpy::rt::cuda
