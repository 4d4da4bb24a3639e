#pragma once
// Conversion of arrays to pictures, for imsave and imshow.

#include <string>
#include <vector>

#include "src/array/convert.h"

namespace gpy::lib {

// Red, green, blue and opacity, row by row from the top.
struct Picture {
  int64_t rows = 0, cols = 0;
  std::vector<uint8_t> pixels;
};

// `cmap`, `vmin` and `vmax` count for matrices alone, which go through a colormap.
Picture picture_of(Interpreter& vm, const rt::Array& array, const Value& cmap, const Value& vmin,
                   const Value& vmax);
void flip_rows(Picture& picture);

// The picture as coloured half blocks, for a terminal of so many columns.
std::string terminal_text(const Picture& picture, int64_t columns);

}  // namespace gpy::lib
