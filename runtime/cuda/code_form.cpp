#include "runtime/cuda/code_form.h"

#include <vector>

#include "runtime/core/notes.h"

namespace gpy::rt::cuda {

// The versions are from CUDA's release notes, "PTX ISA version".
int newest_ptx(int driver_version) {
  constexpr struct {
    int cuda, ptx;
  } kVersions[] = {{13010, 91}, {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
                   {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}};
  for (const auto& each : kVersions) {
    if (driver_version >= each.cuda) return each.ptx;
  }
  return 0;
}

static bool loads(Context& context, Nvrtc& nvrtc, const CodeForm& form) {
  const int target = Compiler::target_of(nvrtc, context.compute_capability());
  const std::vector<std::string> options = {option_of(form, target)};
  const Nvrtc::Result made =
      nvrtc.compile("extern \"C\" __global__ void gpy_probe() {}\n", "gpy_probe", options);
  if (!made.ok) return false;
  const std::string code = in_form(form, made.code);
  const Context::Scope scope(context);
  CUmodule module = nullptr;
  const CUresult found = context.driver().cuModuleLoadData(&module, code.data());
  if (is_sticky(found)) context.check(found, "cuModuleLoadData");
  if (found == CUDA_SUCCESS) context.driver().cuModuleUnload(module);
  return found == CUDA_SUCCESS;
}

std::optional<CodeForm> choose_code_form(Context& context, Nvrtc& nvrtc, std::string* why_not) {
  const int driver = context.driver().version();
  if (driver >= nvrtc.cuda_version() || loads(context, nvrtc, {})) return CodeForm{};
  const std::string older =
      fmt::format("the NVIDIA driver (for CUDA {}) is older than the CUDA compiler NVRTC {}",
                  version_text(driver), nvrtc.version());
  const CodeForm form{newest_ptx(driver)};
  if (form.ptx_version && loads(context, nvrtc, form)) {
    note_warning(fmt::format("{}: it translates kernels from PTX {}.{}", older,
                             form.ptx_version / 10, form.ptx_version % 10));
    return form;
  }
  *why_not = fmt::format(
      "{} and loads nothing that it makes: update the driver, or `pip install "
      "nvidia-cuda-nvrtc-cu{}`",
      older, driver / 1000);
  return std::nullopt;
}

}  // namespace gpy::rt::cuda
