#pragma once

// What words of PTX are in CUDA C++.

#include <string>
#include <string_view>

namespace gpy::rt {

struct PtxMeaning {
  std::string_view ptx, cpp;
};

// Null where there is none. A special register by its name without '%', ...
const PtxMeaning* find_register(std::string_view name);
// ... an instruction without operands ...
const PtxMeaning* find_instruction(std::string_view instruction);
// ... and what to write instead of another, by the first part of its name.
const PtxMeaning* find_alternative(std::string_view name);

// What the C++ of registers calls; empty for a text that does not need it.
std::string_view ptx_text(const std::string& translated);

}  // namespace gpy::rt
