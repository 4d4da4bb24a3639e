#pragma once

#include <string_view>

namespace gpy::rt::cuda {

// The text that every generated kernel uses: loads and stores of lanes, division by a parameter,
// exchanges between threads. Comes after the text of runtime/ops/support.
std::string_view device_text();

}  // namespace gpy::rt::cuda
