#pragma once

// Runs generated kernels on the host: the same text through the system's C++ compiler, a block's
// threads as fibers that meet at barriers and exchanges. What a GPU computes, slowly, without one.

#include <map>
#include <string>
#include <vector>

#include "runtime/cuda/text/kernel_source.h"
#include "runtime/graph/plan.h"

namespace gpy::rt::test {

class KernelEmulator {
 public:
  explicit KernelEmulator(const Hostile& hostile = {}) : hostile_(hostile) {}
  ~KernelEmulator();

  // Plans that will be run, with the addresses they will have modulo 512. Compiled together.
  void add(const Plan& plan, const Bindings& bindings);
  // False, with the compiler's output, if the compilation fails.
  bool compile(std::string* log);
  void run(const Plan& plan, const Bindings& bindings);

 private:
  using Entry = void (*)(const void* parameters, int entry, unsigned blocks, unsigned grid,
                         unsigned threads);
  bool compile_part(const std::string& folder, const std::string& text, int part, std::string* log);

  const Hostile hostile_;
  std::map<std::string, int> numbers_;  // by key
  std::vector<std::string> texts_;
  std::vector<Entry> entries_;
};

}  // namespace gpy::rt::test
