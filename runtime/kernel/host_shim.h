#pragma once

#include <string_view>

namespace gpy::rt {

// CUDA's names for the host's compiler: before the user's text, and after it.
std::string_view host_shim_before();
std::string_view host_shim_after();

}  // namespace gpy::rt
