#pragma once

// Memory for an array's elements.

#include "runtime/backend.h"
#include "runtime/core/layout.h"

namespace gpy::rt {

struct Origin;

// Throws ArrayMemoryError, in NumPy's words on the host, where there is no more. `origin`: where
// the array was asked for, if that is not here.
Ref<Buffer> allocate_array(Backend& backend, int64_t bytes, const Layout& layout,
                           const Origin* origin = nullptr);

}  // namespace gpy::rt
