#include "runtime/cuda/plan_runner.h"

#define XXH_INLINE_ALL  // no symbol of it in the library
#include <xxhash.h>

#include <algorithm>
#include <vector>

namespace gpy::rt::cuda {
namespace {

// The oldest drivers' bound on a kernel's parameters; newer ones take 32,764 bytes.
constexpr size_t kMostParameterBytes = 4096;
// The launches kept for a plan: its addresses may be aligned in several ways.
constexpr size_t kMostLaunches = 8;

const std::vector<std::string>& options() {
  // Never destroyed: threads may outlive the end of main.
  static const auto& all =
      *new std::vector<std::string>{"--fmad=false", "--minimal", "--std=c++17"};
  return all;
}

}  // namespace

size_t PlanRunner::Hash::operator()(const std::string& key) const {
  return XXH3_64bits(key.data(), key.size());
}

template <class Start>
void PlanRunner::run_steps(Prepared& prepared, Launch& launch, const Bindings& bindings,
                           const Scratch& scratch, Start&& start) {
  std::span<const std::byte> parameters =
      launch.parameters.bind(prepared.plan, launch.schedule, bindings,
                             launch.need.partial_bytes ? scratch.partials->data() : nullptr,
                             launch.need.counters ? scratch.counters->data() : nullptr);
  for (int i = 0; i < launch.steps.count; ++i) {
    KernelLaunch step = launch.steps.steps[i];
    if (launch.schedule.walks_grid) {
      parameters = launch.parameters.with_blocks(step.blocks_x);
      step.blocks_x = std::min(step.blocks_x, hostile_.grid);
    }
    start(launch.kernel->functions[step.entry], step, parameters);
  }
}

void PlanRunner::run(Prepared& prepared, const Bindings& bindings) {
  Launch& launch = launch_for(prepared, bindings);
  if (!launch.kernel) return;
  run_steps(prepared, launch, bindings, reserve(launch.need),
            [this](CUfunction function, const KernelLaunch& step,
                   std::span<const std::byte> parameters) { start(function, step, parameters); });
}

// Launches of a graph may run beside any others: each has its own workspace.
void PlanRunner::record(Prepared& prepared, const Bindings& bindings) {
  Launch& launch = launch_for(prepared, bindings);
  if (!launch.kernel) return;
  Scratch scratch;
  grow(scratch.partials, launch.need.partial_bytes, false);
  grow(scratch.counters, launch.need.counters * sizeof(uint32_t), true);
  for (const Ref<Buffer>& each : {scratch.partials, scratch.counters}) {
    if (each) recording()->use(*each, true);
  }
  run_steps(
      prepared, launch, bindings, scratch,
      [this](CUfunction function, const KernelLaunch& step, std::span<const std::byte> parameters) {
        std::vector<std::byte> own(parameters.begin(), parameters.end());
        rt::record([this, function, step, own = std::move(own)] { start(function, step, own); });
      });
}

namespace {

uint8_t alignment_of(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % kVectorBytes;
}

template <class F> void for_each_address(const Bindings& bindings, F&& f) {
  for (const void* address : bindings.inputs) f(address);
  for (const void* address : bindings.outputs) f(address);
}

bool aligned_alike(std::span<const uint8_t> alignments, const Bindings& bindings) {
  size_t i = 0;
  bool alike = true;
  for_each_address(bindings,
                   [&](const void* address) { alike &= alignments[i++] == alignment_of(address); });
  return alike;
}

}  // namespace

PlanRunner::Launch& PlanRunner::launch_for(Prepared& prepared, const Bindings& bindings) {
  for (const auto& launch : prepared.launches) {
    if (aligned_alike(launch->alignments, bindings)) return *launch;
  }
  const Plan& plan = prepared.plan;
  auto launch = std::make_unique<Launch>();
  for_each_address(
      bindings, [&](const void* address) { launch->alignments.push_back(alignment_of(address)); });
  make_schedule(plan, bindings, launch->schedule, hostile_);
  launch->steps = launches_of(plan, launch->schedule);
  launch->need = workspace_of(plan, launch->schedule);
  const size_t bytes =
      launch->parameters.pack(plan, launch->schedule, bindings, nullptr, nullptr).size();
  if (bytes > kMostParameterBytes) {
    fail(ErrorKind::kNotImplemented,
         "an expression with {} bytes of parameters is too large for one kernel", bytes);
  }
  if (launch->steps.count > 0) launch->kernel = &kernel_for(plan, launch->schedule);
  if (prepared.launches.size() == kMostLaunches) prepared.launches.erase(prepared.launches.begin());
  return *prepared.launches.emplace_back(std::move(launch));
}

const PlanRunner::Kernel& PlanRunner::kernel_for(const Plan& plan, const Schedule& schedule) {
  key_.clear();
  append_key(plan, schedule, key_);
  if (const auto found = kernels_.find(key_); found != kernels_.end()) return found->second;
  const std::string source = kernel_source(plan, schedule);
  Kernel kernel;
  kernel.module = std::make_unique<Module>(context_, compiler_,
                                           Compiler::Unit{source, "gpy_generated", options()});
  for (int i = 0; i < kMostSteps; ++i) {
    kernel.functions[i] = kernel.module->try_function(kEntries[i]);
  }
  return kernels_.emplace(key_, std::move(kernel)).first->second;
}

void PlanRunner::start(CUfunction function, const KernelLaunch& step,
                       std::span<const std::byte> parameters) {
  size_t size = parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<std::byte*>(parameters.data()),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  GPY_CU(context_, cuLaunchKernel(function, step.blocks_x, step.blocks_y, 1, step.threads, 1, 1, 0,
                                  context_.stream(), nullptr, extra));
  ++backend_.counters.plans_run;
}

PlanRunner::Scratch& PlanRunner::reserve(const Workspace& need) {
  Scratch& scratch = scratch_[context_.stream()];
  grow(scratch.partials, need.partial_bytes, false);
  // A kernel that finishes leaves the counters at zero again.
  grow(scratch.counters, need.counters * sizeof(uint32_t), true);
  return scratch;
}

// Kernels in flight go on using a replaced buffer: its block is reused by later kernels only.
void PlanRunner::grow(Ref<Buffer>& buffer, size_t bytes, bool zeros) {
  if (bytes == 0 || (buffer && buffer->bytes() >= bytes)) return;
  Queue* now = current_queue(context_.place());
  if (now && buffer) backend_.own_queue().follow(*now);  // the block may be reused there
  {
    const AccountScope nobody(nullptr);  // kept for later runs of anybody
    const QueueScope own(nullptr);
    buffer = backend_.allocate(bytes);
    if (zeros) backend_.fill_zero(buffer->data(), bytes);
  }
  if (now) now->follow(backend_.own_queue());
}

}  // namespace gpy::rt::cuda
