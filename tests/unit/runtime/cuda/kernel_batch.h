#pragma once

// Many generated kernels in one text, each in a namespace of its own, for compilers that are slow
// to start.

#include <string>

#include "runtime/cuda/text/kernel_source.h"

namespace gpy::rt::test {

inline std::string without_linkage(std::string text) {
  const std::string linkage = "extern \"C\" ";
  for (size_t at; (at = text.find(linkage)) != std::string::npos;) text.erase(at, linkage.size());
  return text;
}

// `namespace k<number> { ... }`
inline std::string in_namespace(int number, const std::string& kernel) {
  return fmt::format("namespace k{} {{\n{}}}\n", number, without_linkage(kernel));
}

}  // namespace gpy::rt::test
