#include "runtime/drawing/pixels.h"

#include <cstring>

#include "runtime/memory/account.h"

namespace gpy::rt {

std::vector<uint8_t> to_cairo_pixels(std::span<const uint8_t> pixels) {
  const Charge scratch(pixels.size());
  std::vector<uint8_t> words(pixels.size());
  for (size_t i = 0; i + 3 < pixels.size(); i += 4) {
    const uint32_t alpha = pixels[i + 3];
    auto scaled = [&](size_t channel) { return (pixels[i + channel] * alpha + 127) / 255; };
    const uint32_t word = alpha << 24 | scaled(0) << 16 | scaled(1) << 8 | scaled(2);
    std::memcpy(&words[i], &word, sizeof word);
  }
  return words;
}

std::vector<uint8_t> from_cairo_pixels(const uint8_t* words, int rows, int columns, int stride) {
  std::vector<uint8_t> pixels(size_t{4} * rows * columns);
  size_t to = 0;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column, to += 4) {
      uint32_t word = 0;
      std::memcpy(&word, words + size_t{1} * row * stride + column * 4, sizeof word);
      const uint32_t alpha = word >> 24;
      auto plain = [&](int shift) {
        const uint32_t value = word >> shift & 0xff;
        return static_cast<uint8_t>(alpha == 0 ? 0 : (value * 255 + alpha / 2) / alpha);
      };
      pixels[to] = plain(16), pixels[to + 1] = plain(8), pixels[to + 2] = plain(0);
      pixels[to + 3] = static_cast<uint8_t>(alpha);
    }
  }
  return pixels;
}

}  // namespace gpy::rt
