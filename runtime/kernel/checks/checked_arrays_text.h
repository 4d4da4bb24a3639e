#pragma once

// The part of check_text() behind its pointers: arrays, casts, raw parameters of generated
// kernels, and CUDA's functions of one element.

#include <string_view>

namespace gpy::rt {

std::string_view checked_arrays_text();

}  // namespace gpy::rt
