#pragma once

// Whether a source text alone decides what is compiled from it, so that the result may be kept.

#include <string_view>

namespace gpy::rt {

// Whether it includes files.
bool has_include(std::string_view source);

// Whether it includes nothing, embeds nothing and does not ask for files or the time.
bool is_fixed_text(std::string_view source);

}  // namespace gpy::rt
