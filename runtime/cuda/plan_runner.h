#pragma once

// Runs plans: schedule, kernel of that key, parameters, launch. The path of a kernel that is known
// allocates nothing.

#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "runtime/backend.h"
#include "runtime/cuda/compiler.h"
#include "runtime/cuda/context.h"
#include "runtime/cuda/module.h"
#include "runtime/cuda/text/kernel_source.h"
#include "runtime/cuda/text/parameters.h"

namespace gpy::rt::cuda {

class PlanRunner {
 public:
  PlanRunner(Context& context, Compiler& compiler, Backend& backend, const Hostile& hostile)
      : context_(context), compiler_(compiler), backend_(backend), hostile_(hostile) {}

  // Not for two threads at once.
  void run(const Plan& plan, const Bindings& bindings);

 private:
  struct Kernel {
    std::unique_ptr<Module> module;
    std::array<CUfunction, kMostSteps> functions = {};
  };
  struct Hash {
    size_t operator()(const std::string& key) const;
  };

  const Kernel& kernel_for(const Plan& plan);
  void launch(CUfunction function, const Step& step, std::span<const std::byte> parameters);
  void reserve(const Workspace& need);

  Context& context_;
  Compiler& compiler_;
  Backend& backend_;
  const Hostile hostile_;
  std::unordered_map<std::string, Kernel, Hash> kernels_;
  // Reused from run to run.
  std::string key_;
  Schedule schedule_;
  ParameterBlock parameters_;
  // Of reductions in flight: one stream runs them one after another.
  Ref<Buffer> partials_;
  Ref<Buffer> counters_;
};

}  // namespace gpy::rt::cuda
