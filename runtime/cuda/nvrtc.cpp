#include "runtime/cuda/nvrtc.h"

#include <fmt/format.h>
#include <nvrtc.h>

#include <algorithm>

#include "runtime/core/blocked_signals.h"
#include "runtime/core/error.h"
#include "runtime/core/process.h"
#include "runtime/cuda/libraries.h"

namespace gpy::rt::cuda {

// clang-format off
#define GPY_NVRTC_FUNCTIONS(X)   \
  X(nvrtcVersion)                \
  X(nvrtcGetErrorString)         \
  X(nvrtcGetNumSupportedArchs)   \
  X(nvrtcGetSupportedArchs)      \
  X(nvrtcCreateProgram)          \
  X(nvrtcDestroyProgram)         \
  X(nvrtcCompileProgram)         \
  X(nvrtcAddNameExpression)      \
  X(nvrtcGetLoweredName)         \
  X(nvrtcGetProgramLogSize)      \
  X(nvrtcGetProgramLog)          \
  X(nvrtcGetCUBINSize)           \
  X(nvrtcGetCUBIN)               \
  X(nvrtcGetPTXSize)             \
  X(nvrtcGetPTX)
// clang-format on

struct Nvrtc::Functions {
#define GPY_DECLARE(name) decltype(&::name) name = nullptr;
  GPY_NVRTC_FUNCTIONS(GPY_DECLARE)
#undef GPY_DECLARE

  bool resolve(void* library) {
#define GPY_RESOLVE(name) \
  if (!load_symbol(library, #name, this->name)) return false;
    GPY_NVRTC_FUNCTIONS(GPY_RESOLVE)
#undef GPY_RESOLVE
    return true;
  }

  void check(nvrtcResult code, const char* call) const {
    if (code != NVRTC_SUCCESS) {
      fail(ErrorKind::kRuntime, "NVRTC: {} ({})", nvrtcGetErrorString(code), call);
    }
  }
};

#define GPY_NVRTC(functions, call) (functions).check((functions).call, #call)

namespace {

// Owns one program handle.
class Program {
 public:
  Program(decltype(&::nvrtcDestroyProgram) destroy, nvrtcProgram handle)
      : destroy_(destroy), handle_(handle) {}
  ~Program() { destroy_(&handle_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  nvrtcProgram get() const { return handle_; }

 private:
  decltype(&::nvrtcDestroyProgram) destroy_;
  nvrtcProgram handle_;
};

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
  return text;
}

}  // namespace

Nvrtc::Nvrtc() = default;
Nvrtc::~Nvrtc() = default;

std::unique_ptr<Nvrtc> Nvrtc::open(int driver_version, std::string* why_not) {
  const SharedLibrary library = open_nvrtc(driver_version);
  auto functions = std::make_unique<Functions>();
  if (!library.handle || !functions->resolve(library.handle)) {
    *why_not =
        "the CUDA compiler library NVRTC was not found (libnvrtc.so.13 or .12; install the CUDA "
        "toolkit or `pip install nvidia-cuda-nvrtc`, or set GPY_CUDA_PATH)";
    return nullptr;
  }
  std::unique_ptr<Nvrtc> nvrtc(new Nvrtc);
  int major = 0, minor = 0, count = 0;
  GPY_NVRTC(*functions, nvrtcVersion(&major, &minor));
  nvrtc->cuda_version_ = major * 1000 + minor * 10;
  nvrtc->version_ = fmt::format("{}.{}", major, minor);
  GPY_NVRTC(*functions, nvrtcGetNumSupportedArchs(&count));
  nvrtc->architectures_.resize(count);
  GPY_NVRTC(*functions, nvrtcGetSupportedArchs(nvrtc->architectures_.data()));
  nvrtc->functions_ = std::move(functions);
  return nvrtc;
}

bool Nvrtc::supports(int compute_capability) const {
  return std::ranges::find(architectures_, compute_capability) != architectures_.end();
}

Nvrtc::Result Nvrtc::compile(const std::string& source, const std::string& name,
                             std::span<const std::string> options,
                             std::span<const std::string> name_expressions) {
  const Functions& f = *functions_;
  nvrtcProgram handle = nullptr;
  GPY_NVRTC(f, nvrtcCreateProgram(&handle, source.c_str(), name.c_str(), 0, nullptr, nullptr));
  const Program program(f.nvrtcDestroyProgram, handle);
  for (const std::string& each : name_expressions) {
    GPY_NVRTC(f, nvrtcAddNameExpression(handle, each.c_str()));
  }
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());

  // While NVRTC compiles, its own signal handlers would end the process with status 4.
  const nvrtcResult code = [&] {
    const BlockedSignals wait{SIGINT, SIGTERM};
    return f.nvrtcCompileProgram(handle, static_cast<int>(texts.size()), texts.data());
  }();
  static const bool installed = (install_exit_handler(), true);
  static_cast<void>(installed);
  Result result;
  size_t size = 0;
  GPY_NVRTC(f, nvrtcGetProgramLogSize(handle, &size));
  result.log.resize(size);
  GPY_NVRTC(f, nvrtcGetProgramLog(handle, result.log.data()));
  result.log = trimmed(std::move(result.log));
  if (code != NVRTC_SUCCESS) {
    if (result.log.empty()) result.log = f.nvrtcGetErrorString(code);
    return result;
  }
  GPY_NVRTC(f, nvrtcGetCUBINSize(handle, &size));
  if (size > 0) {
    result.code.resize(size);
    GPY_NVRTC(f, nvrtcGetCUBIN(handle, result.code.data()));
  } else {  // for a virtual architecture, "compute_90"
    GPY_NVRTC(f, nvrtcGetPTXSize(handle, &size));
    result.code.resize(size);
    GPY_NVRTC(f, nvrtcGetPTX(handle, result.code.data()));
  }
  for (const std::string& each : name_expressions) {
    const char* lowered = nullptr;
    GPY_NVRTC(f, nvrtcGetLoweredName(handle, each.c_str(), &lowered));
    result.lowered_names.emplace_back(lowered);
  }
  result.ok = true;
  return result;
}

}  // namespace gpy::rt::cuda
