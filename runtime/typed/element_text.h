#pragma once

// A typed body as the text of an elementwise kernel.

#include "runtime/kernel/elementwise_kernel.h"
#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// The entry's parameters are the kernel's inputs, raw ones as arrays of one axis, then `i`, `n` and
// the raw outputs; its outputs are the kernel's other outputs.
ElementwiseBody element_body(const Program& program, const ElementwiseText& kernel);

}  // namespace gpy::rt::typed
