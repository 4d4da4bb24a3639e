#pragma once

// A typed program as a kernel that is launched on a grid, on a GPU or on the host.

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/core/process.h"
#include "runtime/kernel/checks/checked_kernel.h"
#include "runtime/kernel/launch_shape.h"
#include "runtime/session.h"
#include "runtime/typed/words.h"

namespace gpy::rt::typed {

class GridFunction {
 public:
  // `writes`: it may store to the arrays that it is called with.
  GridFunction(Program program, bool writes, std::vector<std::string> options);

  // The arguments are of the types that the program was translated for, arrays in `space`. Throws
  // as a raw kernel does.
  void launch(Session& session, const LaunchShape& shape, std::span<const Data> arguments,
              Space space);

  // `checked`: as program_text has it.
  std::string source(std::vector<std::string>* checked = nullptr) const;
  // Compiled now where it has not been launched.
  std::shared_ptr<UserFunction> function(Session& session, Place place);
  bool is_cooperative() const { return program_.cooperative; }
  bool prints() const { return program_.prints; }
  // By place.
  std::map<Place, std::shared_ptr<UserFunction>> compiled() const;
  const Function& entry() const { return *program_.functions[0]; }

 private:
  std::shared_ptr<CheckedKernel> checked_kernel(Session& session, Place place);
  std::shared_ptr<UserFunction> compile(Session& session, Place place,
                                        const std::string& text) const;

  Program program_;
  bool writes_;
  std::vector<std::string> options_;
  mutable ForkSafe<std::mutex> mutex_;
  std::map<Place, std::shared_ptr<UserFunction>> functions_;
  std::map<Place, std::shared_ptr<CheckedKernel>> checked_;
};

}  // namespace gpy::rt::typed
