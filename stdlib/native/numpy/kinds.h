#pragma once
// What arrays of text, dates, records, objects and long doubles (stdlib/numpy/kinds) need of C++.

#include <span>

#include "src/native.h"

namespace gpy::lib {

std::span<const Native> kinds_rows();
std::span<const Native> kind_scalar_rows();
std::span<const Native> object_loop_rows();
std::span<const Native> date_rows();
std::span<const Native> business_day_rows();
std::span<const Native> long_double_rows();

}  // namespace gpy::lib
