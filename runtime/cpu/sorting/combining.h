#pragma once

#include "runtime/sorting/sorting.h"

namespace gpy::rt {

// Combines one value after another, in their order.
void combine_in_order(const Scattered& scattered);

}  // namespace gpy::rt
