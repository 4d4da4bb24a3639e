#include "runtime/cuda/module.h"

#include "runtime/cuda/linker.h"

namespace gpy::rt::cuda {

Module::Module(Context& context, Compiler& compiler, const Compiler::Unit& unit)
    : context_(context) {
  Compiler::Binary binary = compiler.compile(unit);
  CUmodule module = nullptr;
  const bool links = is_relocatable(unit.options);
  const auto load = [&] {
    if (links) binary.code = linked(context, binary.code, unit.name);
    return context.driver().cuModuleLoadData(&module, binary.code.data());
  };
  CUresult code = load();
  if (code != CUDA_SUCCESS && binary.from_cache && !is_sticky(code)) {
    binary = compiler.recompile(unit);
    code = load();
  }
  context.check(code, "cuModuleLoadData");
  module_ = {context, module};
  lowered_names_ = std::move(binary.lowered_names);
  log_ = std::move(binary.log);
}

Module::Module(Context& context, const std::string& name, const std::string& code)
    : context_(context) {
  CUmodule module = nullptr;
  const CUresult result = context.driver().cuModuleLoadData(&module, code.c_str());
  if (result == CUDA_ERROR_INVALID_IMAGE || result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
      result == CUDA_ERROR_INVALID_PTX || result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
    fail(ErrorKind::kValue, "{}: the GPU does not take this code: {}", name,
         context.driver().error_text(result));
  }
  context.check(result, "cuModuleLoadData");
  module_ = {context, module};
}

CUfunction Module::try_function(const char* name) {
  CUfunction function = nullptr;
  const CUresult code = context_.driver().cuModuleGetFunction(&function, module_.get(), name);
  if (code == CUDA_ERROR_NOT_FOUND) return nullptr;
  context_.check(code, "cuModuleGetFunction");
  return function;
}

std::optional<GlobalVariable> Module::try_global(const char* name) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  const CUresult code = context_.driver().cuModuleGetGlobal(&address, &bytes, module_.get(), name);
  if (code == CUDA_ERROR_NOT_FOUND) return std::nullopt;
  context_.check(code, "cuModuleGetGlobal");
  return GlobalVariable{reinterpret_cast<void*>(address), bytes};
}

}  // namespace gpy::rt::cuda
