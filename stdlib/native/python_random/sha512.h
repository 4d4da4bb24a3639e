#pragma once
// SHA-512 (FIPS 180-4), which Python seeds its generator with from a text.

#include <string>
#include <string_view>

namespace gpy::lib {

std::string sha512(std::string_view message);  // 64 bytes

}  // namespace gpy::lib
