#pragma once
// The natives of Fourier transforms, which the library's families see.

#include <span>

#include "src/native.h"

namespace gpy::lib {

std::span<const Native> transforms();

}  // namespace gpy::lib
