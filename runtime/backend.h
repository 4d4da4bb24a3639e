#pragma once

// The interface that a device implements. Both backends run the same plans; no elementwise
// operation, reduction or scan is named here, only families that libraries provide.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/core/dtype.h"
#include "runtime/core/queue.h"
#include "runtime/core/recycled.h"
#include "runtime/core/ref.h"
#include "runtime/graph/plan.h"
#include "runtime/linalg/linalg.h"
#include "runtime/memory/account.h"
#include "runtime/memory/queue_use.h"

namespace gpy::rt {

class Backend;
class Buffer;

// The owner that blocks of memory return to: a backend, or somebody who lent them.
class Allocator {
 public:
  virtual void release(Buffer& buffer) noexcept = 0;

 protected:
  ~Allocator() = default;
};

// A block of memory. It goes back to its allocator when the last reference drops.
class Buffer final : public RefCounted<Buffer>, public Recycled<Buffer> {
 public:
  // `charge`: the account of the memory; none for lent memory. `queue`: the queue it is taken for.
  Buffer(Allocator& owner, void* data, size_t bytes, void* block = nullptr, Charge charge = {},
         Queue* queue = nullptr)
      : owner_(owner),
        data_(data),
        bytes_(bytes),
        block_(block),
        charge_(std::move(charge)),
        queues_(queue) {}
  static void destroy(Buffer* buffer) {
    buffer->owner_.release(*buffer);
    delete buffer;
  }

  // The charge for a block of `bytes`, together with the objects that describe its array.
  static Charge charge_for(size_t bytes) { return Charge(bytes + kDescription); }

  void* data() { return data_; }
  const void* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  bool is_of(const Allocator& owner) const { return &owner_ == &owner; }
  void* block() const { return block_; }  // the allocator's own note
  QueueUse& queues() const { return queues_; }

  // Managed memory: the device whose queues use it. The host reaches the same bytes once they are
  // done. Null for all other memory.
  Backend* managed_by() const { return managed_by_; }
  void set_managed_by(Backend& device) { managed_by_ = &device; }

 private:
  static constexpr size_t kDescription = 320;  // bytes of a buffer, its value and its storage

  Allocator& owner_;
  void* data_;
  size_t bytes_;
  void* block_;
  Charge charge_;
  mutable QueueUse queues_;
  Backend* managed_by_ = nullptr;
};

struct MemoryUse {
  size_t used = 0;   // bytes in live blocks
  size_t total = 0;  // bytes held from the device
  size_t limit = 0;  // 0: none
  size_t free_blocks = 0;
  size_t peak = 0;
};

// A number that threads add to, in no order with anything else.
class Counter {
 public:
  Counter() = default;
  Counter(const Counter& other) : count_(other) {}
  Counter& operator=(const Counter&) = delete;
  operator uint64_t() const { return count_.load(std::memory_order_relaxed); }
  void operator+=(uint64_t more) { count_.fetch_add(more, std::memory_order_relaxed); }
  void operator++() { *this += 1; }

 private:
  std::atomic<uint64_t> count_{0};
};

// Counts since the backend was made, over every session that uses it; read by scripts and tests.
struct Counters {
  Counter plans_run;  // loop nests run: kernels launched on a GPU
  Counter kernels_compiled;
  Counter kernels_loaded;  // from the on-disk cache
  Counter library_calls;
  Counter bytes_allocated;
  Counter bytes_to_device;
  Counter bytes_to_host;
  Counter bytes_copied;  // within the device
};

struct DeviceInfo {
  std::string name;
  std::string kind;  // "cpu" or "cuda"
  size_t memory_total = 0;
  size_t memory_free = 0;
  int compute_capability = 0;  // 90 for 9.0
  int multiprocessors = 0;
};

class DeviceControl;
class Fft;
class RawMemory;
class Sorting;
class Sparse;
class SparseSystems;
class UserKernels;

// A plan that will run again, with all that its backend works out once. One thread at a time. The
// plan and the backend outlive it.
class PreparedPlan {
 public:
  virtual ~PreparedPlan() = default;
  // May return before the device is done; later calls see the results.
  virtual void run(const Bindings& bindings, RunReport* report) = 0;
  // Records such a run (core/capture.h). `owner` keeps this alive.
  virtual void record(const Bindings& bindings, std::shared_ptr<const void> owner) = 0;
  // Whether a run that fails, where nothing interrupts it, has written nothing.
  virtual bool is_all_or_nothing() const = 0;
};

// Recorded work in the form in which its device launches it.
class GraphExec {
 public:
  virtual ~GraphExec() = default;
  virtual void launch() = 0;
  // Brings to the device what its first launch needs.
  virtual void upload() = 0;
  // The graph in DOT's language; flags are CUDA's (cudaGraphDebugDotFlags).
  virtual std::string describe(unsigned flags) = 0;
  // The driver's handles of the graph and of its executable form; on the host a number of its own.
  virtual uintptr_t graph() const = 0;
  virtual uintptr_t handle() const = 0;
};

// Work goes to this thread's current queue of the device (core/queue.h).
class Backend : public Allocator {
 public:
  explicit Backend(Place place) : place_(place) {}
  virtual ~Backend() = default;

  Place place() const { return place_; }
  virtual DeviceInfo device_info() = 0;

  virtual Queue& own_queue() = 0;
  virtual Ref<Queue> make_queue(const QueueOptions& options) = 0;
  virtual Ref<Event> make_event(const EventOptions& options) = 0;
  // The lowest and the highest priority of a queue.
  virtual std::pair<int, int> queue_priorities() = 0;
  Queue& queue() {
    Queue* now = current_queue(place_);
    return now ? *now : own_queue();
  }
  // Called before work that reads a block of this device's memory, or writes to it.
  void will_read(const Buffer& buffer) {
    if (Capture* capture = recording()) return capture->use(buffer, false);
    if (!is_host()) buffer.queues().read(current_queue(place_), own_queue());
  }
  void will_write(const Buffer& buffer) {
    if (Capture* capture = recording()) return capture->use(buffer, true);
    if (!is_host()) buffer.queues().write(current_queue(place_), own_queue());
  }

  // At least one byte is allocated, charged to this thread's account. Throws kMemory when the
  // device has no more.
  virtual Ref<Buffer> allocate(size_t bytes) = 0;
  // The same, filled with zeros.
  virtual Ref<Buffer> allocate_zeros(size_t bytes) {
    Ref<Buffer> buffer = allocate(bytes);
    fill_zero(buffer->data(), bytes);
    return buffer;
  }
  virtual MemoryUse memory_use() = 0;
  virtual void free_all_blocks() = 0;
  virtual void set_memory_limit(size_t bytes) = 0;  // 0: none

  // Copies host memory to this device's and back; both are done with `host` when they return.
  virtual void upload(void* device, const void* host, size_t bytes) = 0;
  virtual void download(void* host, const void* device, size_t bytes) = 0;
  virtual void copy(void* to, const void* from, size_t bytes) = 0;
  virtual void fill_zero(void* device, size_t bytes) = 0;

  // `apart`: no output will share memory with an input. An output that does has the elements of
  // that input at the same places. The prepared plan refers to `plan`.
  virtual std::unique_ptr<PreparedPlan> prepare(const Plan& plan, bool apart) = 0;
  // `work` outlives it.
  virtual std::unique_ptr<GraphExec> make_graph(const RecordedWork& work) = 0;
  virtual Linalg& linalg() = 0;
  // Null where there is none: operations then go by way of the host, which has one.
  virtual Sorting* sorting() { return nullptr; }
  virtual Fft* fft() { return nullptr; }
  virtual Sparse* sparse() { return nullptr; }
  virtual SparseSystems* sparse_systems() { return nullptr; }
  virtual UserKernels& user_kernels() = 0;
  virtual RawMemory& raw_memory() = 0;
  virtual DeviceControl& control() = 0;
  virtual void synchronize() = 0;  // all queues
  // A fault has been thrown, and the device does no more work in this process.
  virtual bool lost() const { return false; }

  // True where `data()` of its buffers may be read and written by the host.
  virtual bool is_host() const = 0;

  Counters counters;

 private:
  const Place place_;
};

}  // namespace gpy::rt
