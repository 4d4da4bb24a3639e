#include "runtime/cuda/module.h"

namespace gpy::rt::cuda {

Module::Module(Context& context, Compiler& compiler, const Compiler::Unit& unit)
    : context_(context) {
  Compiler::Binary binary = compiler.compile(unit);
  CUmodule module = nullptr;
  CUresult code = context.driver().cuModuleLoadData(&module, binary.code.data());
  if (code != CUDA_SUCCESS && binary.from_cache && !is_sticky(code)) {
    binary = compiler.recompile(unit);
    code = context.driver().cuModuleLoadData(&module, binary.code.data());
  }
  context.check(code, "cuModuleLoadData");
  module_ = {context, module};
  lowered_name_ = std::move(binary.lowered_name);
}

CUfunction Module::try_function(const char* name) {
  CUfunction function = nullptr;
  const CUresult code = context_.driver().cuModuleGetFunction(&function, module_.get(), name);
  if (code == CUDA_ERROR_NOT_FOUND) return nullptr;
  context_.check(code, "cuModuleGetFunction");
  return function;
}

}  // namespace gpy::rt::cuda
