#include "runtime/cuda/cuda_backend.h"

#include "runtime/core/notes.h"
#include "runtime/cuda/cuda_graph.h"
#include "runtime/cuda/cuda_linalg.h"
#include "runtime/cuda/cuda_user_kernels.h"
#include "runtime/cuda/cuda_fft.h"
#include "runtime/cuda/sorting/cuda_sorting.h"
#include "runtime/cuda/sparse/cuda_sparse.h"
#include "runtime/memory/scratch_log.h"

namespace gpy::rt::cuda {
namespace {

CUdeviceptr address(const void* device) { return reinterpret_cast<CUdeviceptr>(device); }

}  // namespace

void* CudaBackend::Upstream::allocate(size_t bytes) {
  const Context::Scope scope(context_);
  CUdeviceptr segment = 0;
  const CUresult code = context_.driver().cuMemAlloc(&segment, bytes);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) return nullptr;
  context_.check(code, "cuMemAlloc");
  return reinterpret_cast<void*>(segment);
}

void CudaBackend::Upstream::release(void* segment, size_t) noexcept {
  const Context::Ending ending(context_);
  if (!ending) return;
  context_.driver().cuCtxSynchronize();  // kernels in flight may use it
  context_.driver().cuMemFree(address(segment));
}

// An arena is a queue's address; the device's own queue has none.
void CudaBackend::Upstream::hand_over(const void* from, const void* to) {
  const auto queue_of = [&](const void* arena) -> CudaQueue& {
    return arena ? *const_cast<CudaQueue*>(static_cast<const CudaQueue*>(arena)) : own_queue_;
  };
  const Context::Scope scope(context_);
  queue_of(to).follow(queue_of(from));
}

CudaBackend::CudaBackend(std::unique_ptr<Context> context, std::unique_ptr<Nvrtc> nvrtc,
                         CodeForm form, const Hostile& hostile)
    : Backend(context->place()),
      owned_context_(std::move(context)),
      context_(*owned_context_),
      poisons_(hostile.poison),
      own_queue_(context_),
      upstream_(context_, own_queue_),
      pool_(upstream_, hostile.pool ? MemoryPool::Growth::kChunks : MemoryPool::Growth::kUnpooled),
      queues_(context_, pool_, own_queue_),
      compiler_(std::move(nvrtc), context_.compute_capability(), form, DiskCache::default_folder(),
                counters),
      transfers_(context_),
      runner_(std::make_unique<PlanRunner>(context_, compiler_, *this, hostile)),
      linalg_(make_cuda_linalg(context_, *this)),
      user_kernels_(make_cuda_user_kernels(context_, compiler_, *this)) {}

// Everything that holds blocks or driver objects is destroyed while the context is current.
CudaBackend::~CudaBackend() {
  const Context::Ending ending(context_);
  if (!ending) return;
  context_.driver().cuCtxSynchronize();
  user_kernels_.reset();
  sorting_.reset();
  fft_.reset();
  sparse_.reset();
  linalg_.reset();
  runner_.reset();
  control_.release_peers();
  pool_.free_all_blocks();
}

DeviceInfo CudaBackend::device_info() {
  const Context::Scope scope(context_);
  DeviceInfo info;
  char name[256] = {};
  GPY_CU(context_, cuDeviceGetName(name, sizeof(name), context_.device()));
  GPY_CU(context_, cuMemGetInfo(&info.memory_free, &info.memory_total));
  info.name = name;
  info.kind = "cuda";
  info.compute_capability = context_.compute_capability();
  info.multiprocessors = context_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return info;
}

Ref<Queue> CudaBackend::make_queue(const QueueOptions& options) { return queues_.make(options); }

Ref<rt::Event> CudaBackend::make_event(const EventOptions& options) {
  return make_ref<CudaEvent>(context_, options);
}

std::pair<int, int> CudaBackend::queue_priorities() {
  const Context::Scope scope(context_);
  int lowest = 0, highest = 0;
  GPY_CU(context_, cuCtxGetStreamPriorityRange(&lowest, &highest));
  return {lowest, highest};
}

// --- memory ---

// The block goes back to the pool if there is no memory for its buffer.
Ref<Buffer> CudaBackend::hold(MemoryPool::Block* block, size_t bytes, Charge charge, Queue* queue) {
  try {
    return make_ref<Buffer>(*this, block->address, bytes, block, std::move(charge), queue);
  } catch (...) {
    pool_.release(block, queue);
    throw;
  }
}

Ref<Buffer> CudaBackend::allocate(size_t bytes) {
  Charge charge = Buffer::charge_for(bytes);
  context_.require_alive();
  Queue* queue = current_queue(place());
  MemoryPool::Block* block = pool_.allocate(bytes, queue);
  Ref<Buffer> buffer = hold(block, bytes, std::move(charge), queue);
  counters.bytes_allocated += bytes;
  if (const auto log = ScratchLog::current()) log->note_taken(place(), block->address, bytes);
  if (poisons_ && bytes > 0) {
    const Context::Scope scope(context_);
    GPY_CU(context_, cuMemsetD8Async(address(block->address), kPoison, bytes, context_.stream()));
  }
  return buffer;
}

// If the device cannot wait for readers on other queues, the host does.
void CudaBackend::release(Buffer& buffer) noexcept {
  try {
    buffer.queues().gather(own_queue_);
  } catch (...) {
    if (const Context::Ending ending{context_}) context_.driver().cuCtxSynchronize();
  }
  if (const auto log = ScratchLog::current()) {
    log->note_given_back(place(), buffer.data(), buffer.bytes());
  }
  pool_.release(static_cast<MemoryPool::Block*>(buffer.block()), buffer.queues().writer());
}

MemoryUse CudaBackend::memory_use() {
  const MemoryPool::Use use = pool_.use();
  return {use.used, use.total, use.limit, use.free_blocks, use.peak};
}

void CudaBackend::free_all_blocks() {
  const Context::Scope scope(context_);
  pool_.free_all_blocks();
}

void CudaBackend::set_memory_limit(size_t bytes) { pool_.set_limit(bytes); }

// --- copies ---

void CudaBackend::upload(void* device, const void* host, size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  transfers_.upload(device, host, bytes);
  counters.bytes_to_device += bytes;
}

void CudaBackend::download(void* host, const void* device, size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  const Context::Scope scope(context_);
  transfers_.download(host, device, bytes);
  counters.bytes_to_host += bytes;
}

void CudaBackend::copy(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemcpyDtoDAsync(address(to), address(from), bytes, context_.stream()));
  counters.bytes_copied += bytes;
}

void CudaBackend::fill_zero(void* device, size_t bytes) {
  if (bytes == 0) return;
  const Context::Scope scope(context_);
  GPY_CU(context_, cuMemsetD8Async(address(device), 0, bytes, context_.stream()));
}

// --- work ---

class CudaBackend::Prepared final : public PreparedPlan {
 public:
  Prepared(CudaBackend& backend, const Plan& plan) : backend_(backend), prepared_(plan) {}
  void run(const Bindings& bindings, RunReport*) override {
    const NotesHeld notes;
    const std::lock_guard lock(backend_.mutex_);
    const Context::Scope scope(backend_.context_);
    backend_.runner_->run(prepared_, bindings);
  }
  void record(const Bindings& bindings, std::shared_ptr<const void>) override {
    const NotesHeld notes;
    const std::lock_guard lock(backend_.mutex_);
    const Context::Scope scope(backend_.context_);
    backend_.runner_->record(prepared_, bindings);
  }
  bool is_all_or_nothing() const override { return true; }

 private:
  CudaBackend& backend_;
  PlanRunner::Prepared prepared_;
};

std::unique_ptr<PreparedPlan> CudaBackend::prepare(const Plan& plan, bool) {
  return std::make_unique<Prepared>(*this, plan);
}

std::unique_ptr<GraphExec> CudaBackend::make_graph(const RecordedWork& work) {
  return make_cuda_graph(context_, queues_, work);
}

Linalg& CudaBackend::linalg() { return *linalg_; }

// Opened at its first use.
Sorting* CudaBackend::sorting() {
  std::call_once(sorting_opened_, [&] { sorting_ = make_cuda_sorting(context_, *this); });
  return sorting_.get();
}

Fft* CudaBackend::fft() {
  std::call_once(fft_opened_, [&] {
    try {
      const Context::Scope scope(context_);
      fft_ = make_cuda_fft(context_, *this);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kNotImplemented) throw;
      note_warning(fmt::format("{}: Fourier transforms of cuda:{} are done on the host",
                               error.message(), place() - 1));
    }
  });
  return fft_.get();
}

Sparse* CudaBackend::sparse() {
  std::call_once(sparse_opened_, [&] { sparse_ = make_cuda_sparse(context_, *this); });
  return sparse_.get();
}

UserKernels& CudaBackend::user_kernels() { return *user_kernels_; }

void CudaBackend::synchronize() {
  const Context::Scope scope(context_);
  context_.synchronize_all();
}

}  // namespace gpy::rt::cuda
