#pragma once

// The text around a user's element: the function that it becomes, or, where there is text before or
// after the loop, the loop itself.

#include "runtime/kernel/elementwise_kernel.h"

namespace gpy::rt {

// Whole source text for one binding of arguments. `body`: one that was translated for them, instead
// of the text's own; null for none. `fields`: those of the argument block.
std::string elementwise_source(const ElementwiseText& text, const ElementwiseBody* body,
                               const TypeBinding& types, std::span<const Bound> bound,
                               const std::string& fields, int rank, bool checked = false);

}  // namespace gpy::rt
