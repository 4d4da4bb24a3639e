#pragma once
// Bytes become a program: each byte picks one alternative of a grammar. Any bytes do, so what
// libFuzzer changes in them changes a statement or an expression, and hardly ever the syntax.

#include <cstdint>
#include <span>
#include <string>

namespace gpy::fuzz {

[[nodiscard]] std::string write_program(std::span<const uint8_t> bytes);

}  // namespace gpy::fuzz
