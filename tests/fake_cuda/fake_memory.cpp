// The fake driver's functions of memory that scripts ask for: all of it is host memory.
#include "fake_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace {

// Attributes 5 and 6 are what the pool holds now and held at most, 7 and 8 what is used of it: it
// keeps nothing.
struct Pool {
  std::array<uint64_t, 16> attributes{};
};

// The default one's handle; others are addresses.
Pool& default_pool_state() {
  static Pool& pool = *new Pool;
  return pool;
}
CUmemoryPool current_pool = nullptr;

Pool& pool_at(CUmemoryPool handle) { return *reinterpret_cast<Pool*>(handle); }

struct PoolBlock {
  Pool* pool;
  size_t bytes;
};
std::mutex pool_blocks_mutex;
std::map<CUdeviceptr, PoolBlock>& pool_blocks() {
  static auto& blocks = *new std::map<CUdeviceptr, PoolBlock>;
  return blocks;
}

void count(Pool& pool, uint64_t bytes) {
  for (const int now : {5, 7}) {
    pool.attributes[now] += bytes;
    pool.attributes[now + 1] = std::max(pool.attributes[now + 1], pool.attributes[now]);
  }
}

CUresult allocate_from(Pool& pool, CUdeviceptr* address, size_t bytes) {
  const CUresult code = fake_allocate(address, bytes, false);
  if (code != CUDA_SUCCESS) return code;
  const std::lock_guard lock(pool_blocks_mutex);
  pool_blocks()[*address] = {&pool, bytes};
  count(pool, bytes);
  return code;
}

void* memory(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

CUresult allocate_managed(CUdeviceptr* address, size_t bytes, unsigned) {
  FAKE_ENTER("cuMemAllocManaged");
  return fake_allocate(address, bytes, true);
}
CUresult allocate_async(CUdeviceptr* address, size_t bytes, CUstream) {
  FAKE_ENTER("cuMemAllocAsync");
  return allocate_from(current_pool ? pool_at(current_pool) : default_pool_state(), address, bytes);
}
CUresult allocate_from_pool(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream) {
  FAKE_ENTER("cuMemAllocFromPoolAsync");
  return allocate_from(pool_at(pool), address, bytes);
}
CUresult free_async(CUdeviceptr address, CUstream) {
  FAKE_ENTER("cuMemFreeAsync");
  return fake_free(address);
}
CUresult host_register(void* address, size_t bytes, unsigned) {
  FAKE_ENTER("cuMemHostRegister");
  if (!address || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return fake_pin(address, bytes);
}
CUresult host_unregister(void* address) {
  FAKE_ENTER("cuMemHostUnregister");
  return fake_unpin(address);
}

bool fits(CUdeviceptr address, size_t bytes) {
  FakeBlock block;
  if (fake_find(address, &block) != CUDA_SUCCESS) return true;  // the host's
  return bytes <= block.bytes - (address - block.begin);
}

CUresult copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  FAKE_ENTER("cuMemcpyAsync");
  if (!fits(to, bytes) || !fits(from, bytes)) return CUDA_ERROR_INVALID_VALUE;
  std::memmove(memory(to), memory(from), bytes);
  return CUDA_SUCCESS;
}
CUresult copy_rows(const CUDA_MEMCPY2D* copy, CUstream) {
  FAKE_ENTER("cuMemcpy2DAsync");
  for (size_t i = 0; i < copy->Height; ++i) {
    std::memmove(memory(copy->dstDevice + i * copy->dstPitch),
                 memory(copy->srcDevice + i * copy->srcPitch), copy->WidthInBytes);
  }
  return CUDA_SUCCESS;
}
CUresult prefetch(CUdeviceptr address, size_t bytes, CUdevice, CUstream) {
  FAKE_ENTER("cuMemPrefetchAsync");
  FakeBlock block;
  const bool managed = fake_find(address, &block) == CUDA_SUCCESS && block.managed;
  return managed && fits(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult advise(CUdeviceptr address, size_t bytes, CUmem_advise, CUdevice) {
  FAKE_ENTER("cuMemAdvise");
  FakeBlock block;
  const bool managed = fake_find(address, &block) == CUDA_SUCCESS && block.managed;
  return managed && fits(address, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult pointer_attribute(void* value, CUpointer_attribute which, CUdeviceptr address) {
  FAKE_ENTER("cuPointerGetAttribute");
  FakeBlock block;
  if (const CUresult code = fake_find(address, &block); code != CUDA_SUCCESS) return code;
  switch (which) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<CUmemorytype*>(value) = block.pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned*>(value) = block.managed;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int*>(value) = 0; return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(value) = address;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!block.pinned && !block.managed) return CUDA_ERROR_INVALID_VALUE;
      *static_cast<void**>(value) = memory(address);
      return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

// --- pools ---

CUresult pool_create(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  FAKE_ENTER("cuMemPoolCreate");
  if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  *pool = reinterpret_cast<CUmemoryPool>(new Pool);
  return CUDA_SUCCESS;
}
CUresult pool_destroy(CUmemoryPool pool) {
  FAKE_ENTER("cuMemPoolDestroy");
  if (&pool_at(pool) == &default_pool_state()) return CUDA_ERROR_INVALID_VALUE;
  if (pool == current_pool) current_pool = nullptr;
  const std::lock_guard lock(pool_blocks_mutex);
  std::erase_if(pool_blocks(),
                [&](const auto& each) { return each.second.pool == &pool_at(pool); });
  delete &pool_at(pool);
  return CUDA_SUCCESS;
}
CUresult default_pool(CUmemoryPool* pool, CUdevice) {
  FAKE_ENTER("cuDeviceGetDefaultMemPool");
  *pool = reinterpret_cast<CUmemoryPool>(&default_pool_state());
  return CUDA_SUCCESS;
}
CUresult get_pool(CUmemoryPool* pool, CUdevice device) {
  FAKE_ENTER("cuDeviceGetMemPool");
  if (current_pool) *pool = current_pool;
  else return default_pool(pool, device);
  return CUDA_SUCCESS;
}
CUresult set_pool(CUdevice, CUmemoryPool pool) {
  FAKE_ENTER("cuDeviceSetMemPool");
  current_pool = pool;
  return CUDA_SUCCESS;
}
CUresult trim_pool(CUmemoryPool, size_t) {
  FAKE_ENTER("cuMemPoolTrimTo");
  return CUDA_SUCCESS;
}
// The first three attributes are ints.
CUresult pool_attribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  FAKE_ENTER("cuMemPoolGetAttribute");
  if (which < 1 || which > 8) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(value, &pool_at(pool).attributes[which], which <= 3 ? 4 : 8);
  return CUDA_SUCCESS;
}
CUresult set_pool_attribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
  FAKE_ENTER("cuMemPoolSetAttribute");
  if (which < 1 || which > 8) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(&pool_at(pool).attributes[which], value, which <= 3 ? 4 : 8);
  return CUDA_SUCCESS;
}

}  // namespace

void fake_leave_pool(CUdeviceptr address) {
  const std::lock_guard lock(pool_blocks_mutex);
  const auto block = pool_blocks().find(address);
  if (block == pool_blocks().end()) return;
  count(*block->second.pool, -block->second.bytes);
  pool_blocks().erase(block);
}

std::map<std::string, void*> fake_memory_entries() {
  return {
      FAKE_ENTRY(cuMemAllocManaged, allocate_managed),
      FAKE_ENTRY(cuMemAllocAsync, allocate_async),
      FAKE_ENTRY(cuMemAllocFromPoolAsync, allocate_from_pool),
      FAKE_ENTRY(cuMemFreeAsync, free_async),
      {"cuMemHostRegister",
       fake_address(host_register, static_cast<decltype(&::cuMemHostRegister)>(nullptr))},
      FAKE_ENTRY(cuMemHostUnregister, host_unregister),
      FAKE_ENTRY(cuMemcpyAsync, copy),
      {"cuMemcpy2DAsync",
       fake_address(copy_rows, static_cast<decltype(&::cuMemcpy2DAsync)>(nullptr))},
      // These have the type of the requested interface version, not that of the header.
      {"cuMemPrefetchAsync", reinterpret_cast<void*>(prefetch)},
      {"cuMemAdvise", reinterpret_cast<void*>(advise)},
      FAKE_ENTRY(cuPointerGetAttribute, pointer_attribute),
      FAKE_ENTRY(cuMemPoolCreate, pool_create),
      FAKE_ENTRY(cuMemPoolDestroy, pool_destroy),
      FAKE_ENTRY(cuDeviceGetDefaultMemPool, default_pool),
      FAKE_ENTRY(cuDeviceGetMemPool, get_pool),
      FAKE_ENTRY(cuDeviceSetMemPool, set_pool),
      FAKE_ENTRY(cuMemPoolTrimTo, trim_pool),
      FAKE_ENTRY(cuMemPoolGetAttribute, pool_attribute),
      FAKE_ENTRY(cuMemPoolSetAttribute, set_pool_attribute),
  };
}
