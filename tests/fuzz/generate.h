#pragma once

#include <cstdint>
#include <vector>

#include "model.h"

namespace gpy::fuzz {

// A program of about `length` statements, valid by construction: it is generated while the model
// runs it. The same seed gives the same program. Without `float_sums` no floats are added up in an
// order that is the device's own affair.
std::vector<Statement> generate(uint64_t seed, int length, bool float_sums);

}  // namespace gpy::fuzz
