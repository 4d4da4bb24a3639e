#pragma once

#include <cstdint>
#include <vector>

#include "model.h"

namespace gpy::fuzz {

// A program of about `length` statements, valid by construction: it is generated while the model
// runs it. The same seed gives the same program. Only `on_host` floats are added up, in an order
// that depends on the device, and memory of a host is lent.
std::vector<Statement> generate(uint64_t seed, int length, bool on_host);

}  // namespace gpy::fuzz
