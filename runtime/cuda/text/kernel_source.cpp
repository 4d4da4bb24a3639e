#include "runtime/cuda/text/kernel_source.h"

#include "runtime/cuda/text/device_text.h"
#include "runtime/cuda/text/reduction.h"
#include "runtime/cpp_text/support_text.h"

namespace gpy::rt::cuda {

std::string kernel_text(const Plan& plan, const Schedule& schedule) {
  CppWriter out;
  if (plan.reduction) {
    write_reduction(plan, schedule, out);
  } else {
    write_map(plan, schedule, out);
  }
  return out.take();
}

void write_entry(const Schedule& s, CppWriter& out, const char* name, const char* function) {
  out.open(
      "extern \"C\" __global__ void __launch_bounds__({}) {}(const __grid_constant__ Params p{}) "
      "{{",
      s.threads, name, s.walks_grid ? ", const u32 blocks" : "");
  if (s.walks_grid) {
    out.open("for (u32 block = blockIdx.x; block < blocks; block += gridDim.x) {{");
    out.line("{}(p, block);", function);
    out.line("__syncthreads();  // shared memory is the next block's");
    out.close();
  } else {
    out.line("{}(p, blockIdx.x);", function);
  }
  out.close();
}

std::string with_support(const std::string& kernels) {
  std::string text = "namespace gpy {\n";
  text += support_text();
  text += device_text();
  text += kernels;
  text += "}\n";
  return text;
}

std::string kernel_source(const Plan& plan, const Schedule& schedule) {
  return with_support(kernel_text(plan, schedule));
}

LaunchList launches_of(const Plan& plan, const Schedule& s) {
  if (plan.reduction) return reduction_launches(plan, s);
  LaunchList steps;
  if (s.count == 0) return steps;
  const int64_t per_block = int64_t{s.threads} * s.lanes;
  const int64_t blocks = s.form == Form::kTiled ? s.rows : (s.count + per_block - 1) / per_block;
  steps.count = 1;
  steps.steps[0].blocks_x = static_cast<uint32_t>(blocks);
  steps.steps[0].threads = static_cast<uint32_t>(s.threads);
  return steps;
}

Workspace workspace_of(const Plan& plan, const Schedule& schedule) {
  return plan.reduction ? reduction_workspace(plan, schedule) : Workspace();
}

}  // namespace gpy::rt::cuda
