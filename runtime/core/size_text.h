#pragma once

#include <cstdint>
#include <string>

namespace gpy::rt {

// "512 bytes", "7.28 TiB", "711. PiB": as NumPy's _ArrayMemoryError has sizes.
std::string size_text(double bytes);

// "1,234,567"
std::string with_commas(uint64_t number);

}  // namespace gpy::rt
