#pragma once

// Fields of text files as numbers, by NumPy's rules: decimal, white space around, no underscores.

#include <complex>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/core/dtype.h"

namespace gpy::rt {

std::optional<double> parse_float(std::string_view text);
std::optional<std::complex<double>> parse_complex(std::string_view text);
// Takes a number off the front of the text.
std::optional<double> take_float(std::string_view& text);

// Writes the number to one element; false if the text is not a number of the type.
bool store_number(std::string_view text, DType dtype, void* to);

}  // namespace gpy::rt
