#pragma once

#include "runtime/cuda/compiler.h"
#include "runtime/cuda/handles.h"

namespace gpy::rt::cuda {

// One loaded module. Unloading waits for everything that runs, so modules are unloaded at the
// backend's end.
class Module {
 public:
  // Compiles the unit or finds it compiled, and loads it. The context must be current.
  Module(Context& context, Compiler& compiler, const Compiler::Unit& unit);

  // Null if there is none of that name.
  CUfunction try_function(const char* name);
  const std::string& lowered_name() const { return lowered_name_; }

 private:
  Context& context_;
  LoadedModule module_;
  std::string lowered_name_;
};

}  // namespace gpy::rt::cuda
