#pragma once

// A device's memory by address, allocated and freed as by CUDA's own functions: for scripts' calls
// of cupy.cuda.runtime, and for their allocators and pools. Arrays' memory comes from
// Backend::allocate. Where the CPU stands in, all of it is host memory.
//
// Whatever fails throws CudaError with CUDA's code, lack of memory too; the device may be lost as
// well. A queue is one of this device. Addresses are checked as far as the driver, or the stand-in
// by what it has given out and the system has mapped, knows them.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/core/queue.h"
#include "runtime/memory/account.h"

namespace gpy::rt {

// CUDA's numbers.
enum class PointerKind : int { kUnregistered = 0, kHost = 1, kDevice = 2, kManaged = 3 };

class Textures;

struct PointerFacts {
  PointerKind kind = PointerKind::kUnregistered;
  int device = -2;               // index of the GPU; 0 is the stand-in; -2: none
  uintptr_t device_address = 0;  // 0: devices do not reach it
  uintptr_t host_address = 0;    // 0: the host does not
};

// Rows of `width` bytes, `pitch` bytes from one to the next.
struct Rows2D {
  size_t to_pitch = 0, from_pitch = 0, width = 0, height = 0;
};

// cudaMemPoolProps: 1 pinned; 0 none, 1 a file's descriptor; 1 device.
struct MemoryPoolOptions {
  int allocation = 1, handle = 0, location = 1, device = 0;
};

class RawMemory {
 public:
  virtual ~RawMemory() = default;

  // The way in which memory was allocated, and is freed.
  enum class Source : uint8_t {
    kDevice,   // cudaMalloc
    kManaged,  // cudaMallocManaged: the host and every device reach it
    kPinned,   // cudaHostAlloc: the host's, which devices reach
    kOrdered,  // cudaMallocAsync: there once the queue's work so far is done
    kSystem,   // malloc: the host's, for devices that page it by themselves
  };

  // Null for no bytes, which kManaged refuses. `flags`: cudaMemAttach... or cudaHostAlloc..., else
  // 0.
  virtual void* allocate(Source source, size_t bytes, unsigned flags = 0) = 0;
  // Waits for the device's work first, as CUDA does. Null is ignored.
  virtual void free(Source source, void* address) = 0;
  // `pool`: 0 is the device's current one.
  virtual void* allocate_ordered(size_t bytes, Queue& queue, uintptr_t pool = 0) = 0;
  virtual void free_ordered(void* address, Queue& queue) = 0;

  // Pins host memory that somebody else owns, until it is unregistered.
  virtual void register_host(void* address, size_t bytes, unsigned flags) = 0;
  virtual void unregister_host(void* address) = 0;

  // Copies between any two of them, whichever device's; `queue` null: on the device's own, and done
  // on return. Otherwise memory that is not pinned has been read, or written, on return.
  virtual void copy(void* to, const void* from, size_t bytes, Queue* queue = nullptr) = 0;
  virtual void copy_rows(void* to, const void* from, const Rows2D& rows,
                         Queue* queue = nullptr) = 0;
  virtual void fill(void* address, uint8_t value, size_t bytes, Queue* queue = nullptr) = 0;

  // Managed memory. `device`: -1 is the host. `advice`: cudaMemAdvise...
  virtual void prefetch(const void* address, size_t bytes, int device, Queue& queue) = 0;
  virtual void advise(const void* address, size_t bytes, int advice, int device) = 0;

  virtual PointerFacts facts(const void* address) = 0;
  // The block that an address lies in: where it begins, and its bytes; 0 bytes where none is known.
  virtual std::pair<uintptr_t, size_t> block(const void* address) = 0;
  // False where it is known that the device cannot reach so many bytes at an address.
  virtual bool reaches(const void* address, size_t bytes) = 0;
  // Whether the host may touch managed memory while the device works.
  virtual bool shares_managed() = 0;

  // The driver's pools, by handle.
  virtual uintptr_t make_pool(const MemoryPoolOptions& options) = 0;
  virtual void destroy_pool(uintptr_t pool) = 0;
  virtual uintptr_t default_pool() = 0;
  virtual uintptr_t current_pool() = 0;
  virtual void set_current_pool(uintptr_t pool) = 0;
  virtual void trim_pool(uintptr_t pool, size_t bytes_to_keep) = 0;
  virtual uint64_t pool_attribute(uintptr_t pool, int which) = 0;
  virtual void set_pool_attribute(uintptr_t pool, int which, uint64_t value) = 0;

  virtual Textures& textures() = 0;
};

// Whether the system has mapped memory of this process at all of these addresses.
bool is_mapped_on_host(const void* address, size_t bytes);

// Raw memory that is its owner's, charged to the account of the thread that takes it.
class RawBlock {
 public:
  RawBlock() = default;
  RawBlock(RawMemory& memory, RawMemory::Source source, size_t bytes, unsigned flags = 0);
  // Stream-ordered: what goes back waits for the queue's work so far.
  RawBlock(RawMemory& memory, size_t bytes, Ref<Queue> queue, uintptr_t pool = 0);
  RawBlock(RawBlock&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        address_(std::exchange(other.address_, nullptr)),
        bytes_(other.bytes_),
        source_(other.source_),
        queue_(std::move(other.queue_)),
        charge_(std::move(other.charge_)) {}
  RawBlock& operator=(RawBlock&& other) noexcept;
  ~RawBlock() { reset(); }

  void* address() const { return address_; }
  size_t bytes() const { return bytes_; }
  RawMemory::Source source() const { return source_; }

  // Gives it back. Both throw the device's error, and keep the memory then; the second frees in the
  // order of another queue.
  void free();
  void free(Queue& queue);
  void reset() noexcept;

 private:
  void forget() noexcept;

  RawMemory* memory_ = nullptr;  // null: there is none
  void* address_ = nullptr;
  size_t bytes_ = 0;
  RawMemory::Source source_ = RawMemory::Source::kDevice;
  Ref<Queue> queue_;
  Charge charge_;
};

}  // namespace gpy::rt
