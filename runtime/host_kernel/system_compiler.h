#pragma once

// The C++ compiler that this machine has, as a process: started, waited for so that an interrupt
// or the time limit (GPY_COMPILE_SECONDS) ends it, and its messages read.

#include <span>
#include <string>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/kernel/work_folder.h"

namespace gpy::rt {

class SystemCompiler {
 public:
  // The compiler's name and version text; nothing where there is none. The one that CXX names, else
  // c++, g++ or clang++. Found once.
  std::string identity(const WorkFolder& folder);

  // Compiles the text to assembly, or throws kCompile with what the compiler said. `name` is the
  // kernel's. After identity().
  std::string to_assembly(const WorkFolder& folder, const std::string& text,
                          const std::string& name, std::span<const std::string> options);
  // The bytes of stack that all functions of the last text take together, where -fstack-usage was
  // among its options.
  static size_t stack_bytes(const WorkFolder& folder);
  // Assembles and links; false if that fails, kCompile if it takes too long. The shared object is
  // `folder / "kernel.so"`. `own_names_only`: it names
  // functions of C alone; others are linked with wrappers of kWrappedFunctions.
  bool to_object(const WorkFolder& folder, const std::string& assembly, const std::string& name,
                 bool own_names_only);
  // The compiler's messages in the last step.
  static std::string messages(const WorkFolder& folder);

  // The flags of to_assembly.
  std::vector<std::string> flags() const;
  // Adds the options of checked kernels, whose accesses to memory are told one by one.
  void add_watching(std::vector<std::string>& options) const;

 private:
  bool try_compiler(const std::string& command, const WorkFolder& folder);

  ForkSafe<std::mutex> mutex_;
  std::vector<std::string> command_;  // "ccache g++" is two words
  std::string version_;
};

}  // namespace gpy::rt
