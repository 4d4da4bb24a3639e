#pragma once

// The definitions for every generated user kernel: NumPy's type names, float16 and complex with
// their operators, and the C names of elementary functions for them. They come before the user's
// text, for NVRTC and for the host's compiler alike.

#include <string_view>

namespace gpy::rt {

std::string_view user_text();

// The part of it that defines float16 and bfloat16.
std::string_view narrow_floats_text();

}  // namespace gpy::rt
