#include "runtime/cuda/linker.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/core/error.h"
#include "runtime/cuda/libraries.h"

namespace gpy::rt::cuda {
namespace {

// One linking; what it gives lives as long as it.
class Linker {
 public:
  Linker(Context& context, const std::string& name) : context_(context), name_(name) {
    std::array<CUjit_option, 2> options = {CU_JIT_ERROR_LOG_BUFFER,
                                           CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values = {log_.data(), reinterpret_cast<void*>(log_.size() - 1)};
    context.check(context.driver().cuLinkCreate(static_cast<unsigned>(options.size()),
                                                options.data(), values.data(), &state_),
                  "cuLinkCreate");
  }
  ~Linker() { context_.driver().cuLinkDestroy(state_); }
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;

  void add_code(const std::string& code) {
    const bool is_cubin = code.starts_with("\177ELF");
    check(context_.driver().cuLinkAddData(state_, is_cubin ? CU_JIT_INPUT_CUBIN : CU_JIT_INPUT_PTX,
                                          const_cast<char*>(code.c_str()),
                                          code.size() + (is_cubin ? 0 : 1), name_.c_str(), 0,
                                          nullptr, nullptr),
          "cuLinkAddData");
  }
  void add_library(const std::string& path) {
    check(context_.driver().cuLinkAddFile(state_, CU_JIT_INPUT_LIBRARY, path.c_str(), 0, nullptr,
                                          nullptr),
          "cuLinkAddFile");
  }
  std::string cubin() {
    void* code = nullptr;
    size_t bytes = 0;
    check(context_.driver().cuLinkComplete(state_, &code, &bytes), "cuLinkComplete");
    return {static_cast<const char*>(code), bytes};
  }

 private:
  // The linker's own messages say what is missing or there twice.
  void check(CUresult code, const char* call) {
    if (code != CUDA_SUCCESS && !is_sticky(code) && log_[0] != '\0')
      fail(ErrorKind::kCompile, "kernel '{}' does not link:\n{}", name_, log_.data());
    context_.check(code, call);
  }

  Context& context_;
  const std::string& name_;
  CUlinkState state_ = nullptr;
  std::array<char, 4096> log_{};  // the driver writes to it until the linking has ended
};

}  // namespace

bool is_relocatable(std::span<const std::string> options) {
  return std::ranges::any_of(options, [](const std::string& option) {
    return option == kRelocatable || option == "-rdc=true" || option == "--device-c" ||
           option == "-dc";
  });
}

std::string linked(Context& context, const std::string& code, const std::string& name) {
  const std::string library = find_device_runtime();
  if (library.empty()) {
    fail(
        ErrorKind::kNotImplemented,
        "kernel '{}' launches kernels, and CUDA's library for that, libcudadevrt.a, was not found: "
        "install the CUDA toolkit, set GPY_CUDA_PATH, or launch them from the script",
        name);
  }
  Linker linker(context, name);
  linker.add_code(code);
  linker.add_library(library);
  return linker.cubin();
}

}  // namespace gpy::rt::cuda
