#pragma once
// What the files of bytes share.

#include <span>

#include "src/interpreter.h"

namespace gpy {

std::span<const Native> bytes_methods();

}  // namespace gpy
