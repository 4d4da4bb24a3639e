#pragma once

#include "runtime/cuda/compiler.h"
#include "runtime/cuda/handles.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt::cuda {

// One loaded module. Unloading waits for everything that runs: modules stay to the backend's end,
// but for those of users' texts that are not used any more, of which many go at once.
class Module {
 public:
  // Compiles the unit or finds it compiled, and loads it. The context must be current.
  Module(Context& context, Compiler& compiler, const Compiler::Unit& unit);

  // Loads code that the driver is to take as it is: a cubin, a fatbin, PTX. Throws kValue where it
  // does not.
  Module(Context& context, const std::string& name, const std::string& code);

  // Null if there is none of that name.
  CUfunction try_function(const char* name);
  // nullopt if there is no variable of that name.
  std::optional<GlobalVariable> try_global(const char* name);
  // The symbols of the unit's name expressions.
  const std::vector<std::string>& lowered_names() const { return lowered_names_; }
  const std::string& log() const { return log_; }

 private:
  Context& context_;
  LoadedModule module_;
  std::vector<std::string> lowered_names_;
  std::string log_;
};

}  // namespace gpy::rt::cuda
