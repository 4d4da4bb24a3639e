#pragma once
// Pictures as what terminals read.

#include <cstdint>
#include <string>
#include <vector>

namespace gpy::lib {

// Red, green, blue and opacity, row by row from the top.
struct Picture {
  int64_t rows = 0, columns = 0;
  std::vector<uint8_t> pixels;
  const uint8_t* at(int64_t row, int64_t column) const {
    return pixels.data() + (row * columns + column) * 4;
  }
};

// Coloured half blocks, for a terminal of so many columns; each shows the mean of its pixels.
std::string block_text(const Picture& picture, int64_t columns);
// https://sw.kovidgoyal.net/kitty/graphics-protocol: a PNG file in pieces of base64.
std::string kitty_text(const Picture& picture);
// DEC's sixels (VT340), of at most 256 colours: those of the picture, or a cube of 6 x 7 x 6.
std::string sixel_text(const Picture& picture);

}  // namespace gpy::lib
