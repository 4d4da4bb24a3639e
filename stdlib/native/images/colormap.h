#pragma once
// Numbers as colours.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gpy::lib {

using Colours = std::array<std::array<uint8_t, 3>, 256>;

// "viridis" or "gray", with "_r" in reverse; null for an unknown name.
struct Colormap {
  const Colours* colours;
  bool reversed;
};
std::optional<Colormap> find_colormap(std::string_view name);

// The colour of a position that matplotlib would pick: 0 .. 1 in 256 steps, beyond them the ends.
// Red, green, blue and opacity; transparent for nan.
template <class Real> std::array<uint8_t, 4> colour_at(const Colormap& map, Real position) {
  if (position != position) return {0, 0, 0, 0};
  Real at = position * 256;
  if (at == 256) at = 255;
  int index = at < 0 ? 0 : at > 255 ? 255 : static_cast<int>(at);
  if (map.reversed) index = 255 - index;
  const auto& colour = (*map.colours)[index];
  return {colour[0], colour[1], colour[2], 255};
}

}  // namespace gpy::lib
