#pragma once

// Numbers with one separator between them, as numpy.fromstring and fromfile read them.

#include <string_view>

#include "runtime/core/host_view.h"

namespace gpy::rt {

// At most `count` numbers of the text, all for a negative count. White space in the separator is
// any white space or none. `dtype` is float64, complex128, int64 or uint64; ints beyond the range
// are its largest one, negative ones too, as in NumPy. kValue where something else stands.
HostArray read_separated(std::string_view text, std::string_view separator, DType dtype,
                         int64_t count);

}  // namespace gpy::rt
