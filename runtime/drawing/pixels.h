#pragma once

// Pixels of 8-bit red, green, blue and opacity, and as cairo keeps them: words whose colours are
// multiplied by the opacity.

#include <cstdint>
#include <span>
#include <vector>

namespace gpy::rt {

std::vector<uint8_t> to_cairo_pixels(std::span<const uint8_t> pixels);
// Rows of `stride` bytes.
std::vector<uint8_t> from_cairo_pixels(const uint8_t* words, int rows, int columns, int stride);

}  // namespace gpy::rt
