#pragma once

// The kernel of a stencil.

#include "runtime/kernel/stencil_kernel.h"

namespace gpy::rt {

// Whole source text for one binding of arguments. `boundaries`: one for each axis. `fields`: those
// of the argument block.
std::string stencil_source(const StencilText& text, const TypeBinding& types,
                           std::span<const Bound> bound, std::span<const Boundary> boundaries,
                           const std::string& fields);

}  // namespace gpy::rt
