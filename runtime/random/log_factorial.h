#pragma once

#include <cstdint>

namespace gpy::rt {

// log(k!) for k >= 0, correctly rounded below 126 as in NumPy's table.
double log_factorial(int64_t k);

}  // namespace gpy::rt
