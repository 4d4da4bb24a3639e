#pragma once

#include <string_view>

namespace gpy {

// The hidden attribute of a class: a tuple of types, for whose objects isinstance takes the
// class's.
inline constexpr std::string_view kStandsFor = "<stands for>";

}  // namespace gpy
