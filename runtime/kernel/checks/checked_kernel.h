#pragma once

// A kernel in its checked form, and a launch of it.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/array.h"
#include "runtime/kernel/checks/checked_source.h"
#include "runtime/kernel/checks/finding.h"
#include "runtime/kernel/user_kernel.h"
#include "runtime/session.h"

namespace gpy::rt {

// A variable of a module's text in its two forms: scripts know that of the plain one.
struct VariablePair {
  GlobalVariable plain, checked;
};

struct CheckedKernel {
  std::shared_ptr<UserFunction> function;
  std::vector<int> parameters;  // as CheckedSource has them; empty: passed as they are
  std::shared_ptr<const ArrayNames> names;
  ToldArrays told;
  std::vector<VariablePair> variables;
};

// Whether the session asks that kernels for arrays of a space be checked; what a queue records is
// not.
bool checks_launches(Session& session, Space space);

class CheckedLaunch {
 public:
  CheckedLaunch(const Session& session, std::shared_ptr<CheckedKernel> kernel);

  // An array that is lent to the launch: `address` is its element 0.
  void lend(const std::string& name, const Array& array, const void* address);
  // The same of a block of memory.
  using Block = std::pair<uintptr_t, size_t>;
  void lend(const std::string& name, Block block, DType dtype);
  // What is passed for parameter `i` in the place of an address: of an array, or in a block of
  // memory, whose bounds are not known where it is empty. False where the address itself is passed.
  bool make_pointer(size_t i, const void* address, const Array& array, CheckedPointer& out) const;
  bool make_pointer(size_t i, const void* address, Block block, CheckedPointer& out) const;

  // Its elements go into results together.
  void set_combining() { checks_.combines = true; }
  // The module's variables before a launch, and behind it. Waits for the device.
  void bring_variables(Backend& backend) const;
  void return_variables(Backend& backend) const;

  LaunchChecks* checks() { return &checks_; }
  // Throws kCheck for what the launch has found.
  void report(const std::string& kernel);

 private:
  std::shared_ptr<CheckedKernel> kernel_;
  LaunchChecks checks_;
};

}  // namespace gpy::rt
