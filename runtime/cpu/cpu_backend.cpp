#include "runtime/cpu/cpu_backend.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <cstring>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/cpu/cpu_linalg.h"
#include "runtime/cpu/fft/host_fft.h"
#include "runtime/cpu/sparse/host_sparse.h"
#include "runtime/cpu/polled_pieces.h"
#include "runtime/cpu/run.h"
#include "runtime/cpu/sorting/cpu_sorting.h"
#include "runtime/host_kernel/host_compiler.h"
#include "runtime/kernel/user_kernel.h"
#include "runtime/kernel/disk_cache.h"

namespace gpy::rt {
namespace {

// Copies at least this big are shared by the threads.
constexpr int64_t kParallelBytes = 1 << 20;
// The threads of a run with delays, however many cores there are.
constexpr int kDelayedThreads = 4;

}  // namespace

CpuBackend::CpuBackend(const Hostile& hostile)
    : Backend(kHostPlace),
      tile_(hostile.tile ? hostile.tile : kTile),
      own_queue_(queues_.make({})),
      memory_(hostile),
      threads_(hostile.delays ? kDelayedThreads : 0, hostile.delays),
      sorting_(make_cpu_sorting(*this, threads_)),
      fft_(make_host_fft(threads_)),
      sparse_(make_host_sparse(threads_)),
      sparse_systems_(make_host_sparse_systems()) {}
CpuBackend::~CpuBackend() = default;

DeviceInfo CpuBackend::device_info() {
  struct sysinfo system {};
  sysinfo(&system);
  DeviceInfo info;
  info.name = "CPU";
  info.kind = "cpu";
  info.memory_total = size_t{system.totalram} * system.mem_unit;
  info.memory_free = size_t{system.freeram} * system.mem_unit;
  info.compute_capability = kHostComputeCapability;
  info.multiprocessors = threads_.threads();
  return info;
}

Ref<Queue> CpuBackend::make_queue(const QueueOptions& options) { return queues_.make(options); }
Ref<Event> CpuBackend::make_event(const EventOptions& options) { return make_host_event(options); }

Ref<Buffer> CpuBackend::allocate(size_t bytes) {
  bytes = std::max<size_t>(bytes, 1);
  Charge charge = Buffer::charge_for(bytes);
  void* data = memory_.allocate(bytes);
  try {
    Ref<Buffer> buffer = make_ref<Buffer>(*this, data, bytes, nullptr, std::move(charge));
    counters.bytes_allocated += bytes;
    return buffer;
  } catch (...) {
    memory_.release(data, bytes);
    throw;
  }
}

Ref<Buffer> CpuBackend::allocate_zeros(size_t bytes) {
  Ref<Buffer> buffer = allocate(bytes);
  HostMemory::clear(buffer->data(), bytes);
  return buffer;
}

void CpuBackend::release(Buffer& buffer) noexcept {
  memory_.release(buffer.data(), buffer.bytes());
}

void CpuBackend::upload(void* device, const void* host, size_t bytes) {
  counters.bytes_to_device += bytes;
  copy_polled(device, host, bytes);
}

void CpuBackend::download(void* host, const void* device, size_t bytes) {
  counters.bytes_to_host += bytes;
  copy_polled(host, device, bytes);
}

void CpuBackend::copy(void* to, const void* from, size_t bytes) {
  counters.bytes_copied += bytes;
  const auto distance = static_cast<std::byte*>(to) - static_cast<const std::byte*>(from);
  const size_t apart = static_cast<size_t>(distance < 0 ? -distance : distance);
  if (apart < bytes) {
    std::memmove(to, from, bytes);
    return;
  }
  threads_.run(static_cast<int64_t>(bytes), kParallelBytes, [&](int64_t begin, int64_t end) {
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                end - begin);
  });
}

void CpuBackend::fill_zero(void* device, size_t bytes) {
  threads_.run(static_cast<int64_t>(bytes), kParallelBytes, [&](int64_t begin, int64_t end) {
    std::memset(static_cast<std::byte*>(device) + begin, 0, end - begin);
  });
}

// One flag for each op, if the caller wants a report.
static std::span<int> flags_of(RunReport* report, const Plan& plan) {
  if (!report) return {};
  report->flags.assign(plan.ops.size() + (plan.reduction ? 1 : 0), 0);
  return report->flags;
}

class CpuBackend::Prepared final : public PreparedPlan {
 public:
  Prepared(CpuBackend& backend, const Plan& plan, bool apart) : backend_(backend), plan_(plan) {
    ThreadPool& threads = backend.threads_;
    run_ = !plan.reduction        ? make_map_run(threads, plan, apart, backend.tile_)
           : plan.reduction->scan ? make_scan_run(threads, plan, backend.tile_)
                                  : make_reduction_run(threads, plan, backend.tile_);
  }
  void run(const Bindings& bindings, RunReport* report) override {
    ++backend_.counters.plans_run;
    run_->run(bindings, flags_of(report, plan_));
  }
  void record(const Bindings& bindings, std::shared_ptr<const void> owner) override {
    rt::record([this, bindings, owner = std::move(owner)] { run(bindings, nullptr); });
  }
  bool is_all_or_nothing() const override { return run_->is_all_or_nothing(); }

 private:
  CpuBackend& backend_;
  const Plan& plan_;
  std::unique_ptr<LoopRun> run_;
};

std::unique_ptr<PreparedPlan> CpuBackend::prepare(const Plan& plan, bool apart) {
  return std::make_unique<Prepared>(*this, plan, apart);
}

namespace {

// The host launches recorded work as it was recorded.
class HostGraph final : public GraphExec {
 public:
  explicit HostGraph(const RecordedWork& work) : work_(work) {}

  void launch() override {
    for (const auto& each : work_) each();
  }
  void upload() override {}
  std::string describe(unsigned) override {
    std::string text = "digraph dot {\n";
    for (size_t i = 0; i < work_.size(); ++i) text += fmt::format("  work_{};\n", i);
    for (size_t i = 1; i < work_.size(); ++i)
      text += fmt::format("  work_{} -> work_{};\n", i - 1, i);
    return text + "}\n";
  }
  uintptr_t graph() const override { return reinterpret_cast<uintptr_t>(&work_); }
  uintptr_t handle() const override { return reinterpret_cast<uintptr_t>(this); }

 private:
  const RecordedWork& work_;
};

}  // namespace

std::unique_ptr<GraphExec> CpuBackend::make_graph(const RecordedWork& work) {
  return std::make_unique<HostGraph>(work);
}

Linalg& CpuBackend::linalg() {
  const std::lock_guard lock(libraries_mutex_);
  if (!linalg_) linalg_ = make_cpu_linalg(threads_);
  return *linalg_;
}
UserKernels& CpuBackend::user_kernels() {
  const std::lock_guard lock(libraries_mutex_);
  if (!user_kernels_)
    user_kernels_ = make_host_compiler(threads_, counters, DiskCache::default_folder());
  return *user_kernels_;
}

std::unique_ptr<Backend> make_cpu_backend(const Hostile& hostile) {
  return std::make_unique<CpuBackend>(hostile);
}

}  // namespace gpy::rt
