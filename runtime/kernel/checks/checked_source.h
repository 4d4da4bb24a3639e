#pragma once

// The checked form of a user's CUDA C++: its kernels take checked pointers for pointers.

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gpy::rt {

// Names of arrays by the numbers that findings have.
using ArrayNames = std::vector<std::string>;

struct CheckedSource {
  std::string text;
  std::shared_ptr<const ArrayNames> names;
  // By kernel, the number of each parameter's name; -1: it is passed as it is.
  std::map<std::string, std::vector<int>> parameters;
};

// `all`: its shared and local arrays, local pointers and those of device functions too, which not
// every text compiles with.
CheckedSource checked_source(const std::string& code, bool all);
// The source as it is, for the checks that need no change of it: on the host those of the compiler.
CheckedSource watched_source(const std::string& code);

}  // namespace gpy::rt
