#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {

std::string_view curand_text() { return {}; }

}  // namespace gpy::rt
