#pragma once
// A line of what `gpy info` and its kin print: "cpu       12 kernels".

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace gpy::command {

inline void print_row(std::string_view name, std::string_view text) {
  std::fputs(fmt::format("{:<10}{}\n", name, text).c_str(), stdout);
}

}  // namespace gpy::command
