#pragma once

// The variables that CUDA C++ source declares for a device at its outermost level.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

struct GlobalDeclaration {
  std::string type;  // "float", "unsigned int", without const
  std::string name;
  std::vector<std::string> extents;  // as written: {"3", "N"}
};

// Each name declared with `__constant__`, `__device__` or `__managed__`, in order. Macros are not
// expanded.
std::vector<GlobalDeclaration> find_globals(std::string_view source);
std::optional<GlobalDeclaration> find_global(std::string_view source, std::string_view name);

}  // namespace gpy::rt
