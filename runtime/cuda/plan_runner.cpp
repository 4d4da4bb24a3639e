#include "runtime/cuda/plan_runner.h"

#define XXH_INLINE_ALL  // no symbol of it in the library
#include <xxhash.h>

#include <algorithm>
#include <vector>

namespace gpy::rt::cuda {
namespace {

// The oldest drivers' bound on a kernel's parameters; newer ones take 32,764 bytes.
constexpr size_t kMostParameterBytes = 4096;

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

void PlanRunner::run(const Plan& plan, const Bindings& bindings) {
  make_schedule(plan, bindings, schedule_, hostile_);
  const Steps steps = steps_of(plan, schedule_);
  if (steps.count == 0) return;
  const Kernel& kernel = kernel_for(plan);
  const Workspace need = workspace_of(plan, schedule_);
  reserve(need);
  std::span<const std::byte> parameters =
      parameters_.pack(plan, schedule_, bindings, need.partial_bytes ? partials_->data() : nullptr,
                       need.counters ? counters_->data() : nullptr);
  if (parameters.size() > kMostParameterBytes) {
    fail(ErrorKind::kNotImplemented,
         "an expression with {} bytes of parameters is too large for one kernel",
         parameters.size());
  }
  for (int i = 0; i < steps.count; ++i) {
    Step step = steps.steps[i];
    if (schedule_.walks_grid) {
      parameters = parameters_.with_blocks(step.blocks_x);
      step.blocks_x = std::min(step.blocks_x, hostile_.grid);
    }
    launch(kernel.functions[step.entry], step, parameters);
  }
}

const PlanRunner::Kernel& PlanRunner::kernel_for(const Plan& plan) {
  key_.clear();
  append_key(plan, schedule_, key_);
  if (const auto found = kernels_.find(key_); found != kernels_.end()) return found->second;
  const std::string source = kernel_source(plan, schedule_);
  Kernel kernel;
  kernel.module = std::make_unique<Module>(context_, compiler_,
                                           Compiler::Unit{source, "gpy_generated", options(), ""});
  for (int i = 0; i < kMostSteps; ++i) {
    kernel.functions[i] = kernel.module->try_function(kEntries[i]);
  }
  return kernels_.emplace(key_, std::move(kernel)).first->second;
}

void PlanRunner::launch(CUfunction function, const Step& step,
                        std::span<const std::byte> parameters) {
  size_t size = parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<std::byte*>(parameters.data()),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  GPY_CU(context_, cuLaunchKernel(function, step.blocks_x, step.blocks_y, 1, step.threads, 1, 1, 0,
                                  context_.stream(), nullptr, extra));
  ++backend_.counters.plans_run;
}

// Kernels in flight go on using a replaced buffer: its block is reused by later ones only.
void PlanRunner::reserve(const Workspace& need) {
  const AccountScope nobody(nullptr);  // kept for whoever comes next
  if (need.partial_bytes && (!partials_ || partials_->bytes() < need.partial_bytes)) {
    partials_ = backend_.allocate(need.partial_bytes);
  }
  const size_t counter_bytes = need.counters * sizeof(uint32_t);
  if (counter_bytes && (!counters_ || counters_->bytes() < counter_bytes)) {
    counters_ = backend_.allocate(counter_bytes);
    // A kernel that finishes leaves them at zero again.
    backend_.fill_zero(counters_->data(), counter_bytes);
  }
}

}  // namespace gpy::rt::cuda
