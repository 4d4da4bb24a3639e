#pragma once

// Runs plans: schedule, kernel of that key, parameters, launch. A prepared plan keeps them between
// its runs, which only set addresses and numbers.

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

  struct Kernel {
    std::unique_ptr<Module> module;
    std::array<CUfunction, kMostSteps> functions = {};
  };
  // The common part of all launches whose addresses are aligned alike.
  struct Launch {
    std::vector<uint8_t> alignments;
    Schedule schedule;
    LaunchList steps;
    Workspace need;
    const Kernel* kernel = nullptr;  // null: there is nothing to do
    ParameterBlock parameters;
  };
  // Refers to its plan.
  struct Prepared {
    explicit Prepared(const Plan& plan) : plan(plan) {}
    const Plan& plan;
    std::vector<std::unique_ptr<Launch>> launches;
  };

  // Neither must be called by two threads at once.
  void run(Prepared& prepared, const Bindings& bindings);
  // Records the kernels of such a run, with a workspace of their own.
  void record(Prepared& prepared, const Bindings& bindings);

 private:
  struct Hash {
    size_t operator()(const std::string& key) const;
  };
  // The workspace of reductions in flight: those of one stream run one after another. It is memory
  // of the device's own queue, which a stream follows at its start and is followed by at its end.
  struct Scratch {
    Ref<Buffer> partials, counters;
  };

  template <class Start>
  void run_steps(Prepared& prepared, Launch& launch, const Bindings& bindings,
                 const Scratch& scratch, Start&& start);
  Launch& launch_for(Prepared& prepared, const Bindings& bindings);
  const Kernel& kernel_for(const Plan& plan, const Schedule& schedule);
  void start(CUfunction function, const KernelLaunch& step, std::span<const std::byte> parameters);
  Scratch& reserve(const Workspace& need);
  void grow(Ref<Buffer>& buffer, size_t bytes, bool zeros);

  Context& context_;
  Compiler& compiler_;
  Backend& backend_;
  const Hostile hostile_;
  // By the structure of plan and schedule, to the backend's end: numbers, extents and addresses are
  // parameters, so that a program has few.
  std::unordered_map<std::string, Kernel, Hash> kernels_;
  std::string key_;  // reused from run to run
  std::unordered_map<CUstream, Scratch> scratch_;
};

}  // namespace gpy::rt::cuda
