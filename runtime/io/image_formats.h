#pragma once

// The formats behind image.h.

#include <string>
#include <string_view>

#include "runtime/io/image.h"

namespace gpy::rt {

[[noreturn]] void fail_image(const std::string& name, const std::string& problem);

bool is_png(std::string_view bytes);
Image decode_png(std::string_view bytes, const std::string& name);
// `pixels` is contiguous and of one to four channels.
std::string encode_png(const HostArray& pixels);

bool is_pnm(std::string_view bytes);
Image decode_pnm(std::string_view bytes, const std::string& name);
// One or three channels.
std::string encode_pnm(const HostArray& pixels);

}  // namespace gpy::rt
