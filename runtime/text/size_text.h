#pragma once

#include <string>

namespace gpy::rt {

// "512 bytes", "7.28 TiB", "711. PiB": as NumPy's _ArrayMemoryError has sizes.
std::string size_text(double bytes);

}  // namespace gpy::rt
