#pragma once
// What a kernel of numba.cuda raises: it ends its thread, and the launch of a kernel with
// debug=True raises what was raised first.

#include <vector>

#include "runtime/typed/grid_function.h"
#include "src/interpreter.h"
#include "src/translate/translation.h"

namespace gpy {

class KernelRaises {
 public:
  KernelRaises(rt::Session& session, const rt::typed::GridFunction& function, rt::Space space);

  // The memory in which the kernel tells of it, as its last argument; none where it raises nothing.
  void add_to(std::vector<rt::typed::Data>& arguments) const;
  // Waits for the kernel.
  void check(Interpreter& vm, const ProgramValues& values) const;

 private:
  rt::Session& session_;
  const rt::typed::Function& entry_;
  rt::Array told_;
};

// Whether a kernel has the parameter for it.
bool tells_raises(const rt::typed::Function& entry);

}  // namespace gpy
