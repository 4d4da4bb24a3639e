#pragma once
// Natives for the families of scipy.sparse.

#include "src/native.h"

namespace gpy::lib {

std::span<const Native> sparse_products();

}  // namespace gpy::lib
