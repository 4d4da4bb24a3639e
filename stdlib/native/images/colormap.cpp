#include "stdlib/native/images/colormap.h"

namespace gpy::lib {

namespace {
#include "stdlib/native/images/colormaps.inc"
}  // namespace

std::optional<Colormap> find_colormap(std::string_view name) {
  const bool reversed = name.ends_with("_r");
  if (reversed) name.remove_suffix(2);
  if (name == "viridis") return Colormap{&kViridis, reversed};
  if (name == "gray" || name == "grey") return Colormap{&kGray, reversed};
  return std::nullopt;
}

}  // namespace gpy::lib
