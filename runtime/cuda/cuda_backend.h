#pragma once

// The Backend of one GPU. Each function makes the context current and forwards to its part.

#include <memory>

#include "runtime/backend.h"
#include "runtime/core/process.h"
#include "runtime/cuda/compiler.h"
#include "runtime/cuda/context.h"
#include "runtime/cuda/cuda_control.h"
#include "runtime/cuda/cuda_raw_memory.h"
#include "runtime/cuda/plan_runner.h"
#include "runtime/cuda/queues.h"
#include "runtime/cuda/transfers.h"
#include "runtime/memory/pool.h"

namespace gpy::rt::cuda {

class CudaBackend final : public Backend {
 public:
  CudaBackend(std::unique_ptr<Context> context, std::unique_ptr<Nvrtc> nvrtc, CodeForm form,
              const Hostile& hostile);
  ~CudaBackend() override;

  DeviceInfo device_info() override;
  Queue& own_queue() override { return own_queue_; }
  Ref<Queue> make_queue(const QueueOptions& options) override;
  Ref<rt::Event> make_event(const EventOptions& options) override;
  std::pair<int, int> queue_priorities() override;
  Ref<Buffer> allocate(size_t bytes) override;
  void release(Buffer& buffer) noexcept override;
  MemoryUse memory_use() override;
  void free_all_blocks() override;
  void set_memory_limit(size_t bytes) override;
  void upload(void* device, const void* host, size_t bytes) override;
  void download(void* host, const void* device, size_t bytes) override;
  void copy(void* to, const void* from, size_t bytes) override;
  void fill_zero(void* device, size_t bytes) override;
  std::unique_ptr<PreparedPlan> prepare(const Plan& plan, bool apart) override;
  std::unique_ptr<GraphExec> make_graph(const RecordedWork& work) override;
  Linalg& linalg() override;
  Sorting* sorting() override;
  Fft* fft() override;
  Sparse* sparse() override;
  UserKernels& user_kernels() override;
  RawMemory& raw_memory() override { return raw_memory_; }
  DeviceControl& control() override { return control_; }
  void synchronize() override;
  bool lost() const override { return context_.lost(); }
  bool is_host() const override { return false; }

 private:
  class Prepared;
  class Upstream final : public MemoryUpstream {
   public:
    Upstream(Context& context, CudaQueue& own_queue) : context_(context), own_queue_(own_queue) {}
    void* allocate(size_t bytes) override;
    void release(void* segment, size_t bytes) noexcept override;
    void hand_over(const void* from, const void* to) override;

   private:
    Context& context_;
    CudaQueue& own_queue_;
  };

  Ref<Buffer> hold(MemoryPool::Block* block, size_t bytes, Charge charge, Queue* queue);

  std::unique_ptr<Context> owned_context_;
  Context& context_;
  const bool poisons_;
  CudaQueue own_queue_;
  Upstream upstream_;
  MemoryPool pool_;
  QueueTable queues_;
  CudaRawMemory raw_memory_{context_};
  CudaControl control_{context_};
  ForkSafe<std::recursive_mutex> mutex_;  // one caller at a time launches, copies or compiles
  Compiler compiler_;
  Transfers transfers_;
  std::unique_ptr<PlanRunner> runner_;
  std::unique_ptr<Linalg> linalg_;
  std::once_flag sorting_opened_;
  std::unique_ptr<Sorting> sorting_;
  std::once_flag fft_opened_;
  std::unique_ptr<Fft> fft_;
  std::once_flag sparse_opened_;
  std::unique_ptr<Sparse> sparse_;
  std::unique_ptr<UserKernels> user_kernels_;
};

}  // namespace gpy::rt::cuda
