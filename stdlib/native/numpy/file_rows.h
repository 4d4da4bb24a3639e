#pragma once
// What the families of files in gpy need of C++.

#include <span>

#include "src/native.h"

namespace gpy::lib {

std::span<const Native> own_file_rows();
std::span<const Native> own_text_rows();

}  // namespace gpy::lib
