#pragma once

// The host as a device: always there, and the reference for every other backend.

#include <memory>

#include "runtime/backend.h"
#include "runtime/core/hostile.h"
#include "runtime/core/process.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/host_control.h"
#include "runtime/cpu/host_memory.h"
#include "runtime/cpu/host_queue.h"
#include "runtime/cpu/host_raw_memory.h"

namespace gpy::rt {

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const Hostile& hostile = {});
  ~CpuBackend() override;

  DeviceInfo device_info() override;

  Queue& own_queue() override { return *own_queue_; }
  Ref<Queue> make_queue(const QueueOptions& options) override;
  Ref<Event> make_event(const EventOptions& options) override;
  std::pair<int, int> queue_priorities() override { return {0, 0}; }

  Ref<Buffer> allocate(size_t bytes) override;
  Ref<Buffer> allocate_zeros(size_t bytes) override;
  void release(Buffer& buffer) noexcept override;
  MemoryUse memory_use() override { return memory_.use(); }
  void free_all_blocks() override { memory_.free_all_blocks(); }
  void set_memory_limit(size_t bytes) override { memory_.set_limit(bytes); }

  void upload(void* device, const void* host, size_t bytes) override;
  void download(void* host, const void* device, size_t bytes) override;
  void copy(void* to, const void* from, size_t bytes) override;
  void fill_zero(void* device, size_t bytes) override;

  std::unique_ptr<PreparedPlan> prepare(const Plan& plan, bool apart) override;
  std::unique_ptr<GraphExec> make_graph(const RecordedWork& work) override;
  Linalg& linalg() override;
  Sorting* sorting() override { return sorting_.get(); }
  Fft* fft() override { return fft_.get(); }
  Sparse* sparse() override { return sparse_.get(); }
  SparseSystems* sparse_systems() override { return sparse_systems_.get(); }
  UserKernels& user_kernels() override;
  RawMemory& raw_memory() override { return raw_memory_; }
  DeviceControl& control() override { return control_; }
  void synchronize() override {}
  bool is_host() const override { return true; }

  ThreadPool& threads() { return threads_; }

 private:
  class Prepared;

  const int64_t tile_;
  HostQueues queues_;
  const Ref<Queue> own_queue_;
  HostMemory memory_;
  ThreadPool threads_;
  HostRawMemory raw_memory_{*this};
  HostControl control_{threads_};
  ForkSafe<std::mutex> libraries_mutex_;
  std::unique_ptr<Linalg> linalg_;
  std::unique_ptr<Sorting> sorting_;
  std::unique_ptr<Fft> fft_;
  std::unique_ptr<Sparse> sparse_;
  std::unique_ptr<SparseSystems> sparse_systems_;
  std::unique_ptr<UserKernels> user_kernels_;
};

std::unique_ptr<Backend> make_cpu_backend(const Hostile& hostile = {});

}  // namespace gpy::rt
