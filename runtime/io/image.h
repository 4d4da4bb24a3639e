#pragma once

// Pictures as arrays of their raw integers: height x width for grey, height x width x channels
// otherwise; uint8 or, for deeper ones, uint16. PNG in and out; PGM and PPM, text and binary.

#include <string>
#include <string_view>

#include "runtime/core/host_view.h"

namespace gpy::rt {

struct Image {
  HostArray pixels;
  int max_value = 255;  // the value of white
};

// The format is found from the content. Errors are kOs (the file) or kValue (its content), with
// the file's name.
Image read_image(const std::string& path);
Image decode_image(std::string_view bytes, const std::string& name);

// The format follows from the name: .png (uint8 or uint16; 1 to 4 channels), .pgm, .ppm, .pnm
// (uint8 or uint16; 1 or 3 channels).
void write_image(const std::string& path, const HostView& pixels);

}  // namespace gpy::rt
