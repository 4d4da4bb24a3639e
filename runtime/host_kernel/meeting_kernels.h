#pragma once

// Which kernels of a text have threads that meet: a text with a barrier in one kernel may hold
// others whose threads one fiber can run one after another. Read from the compiler's assembly text.

#include <string>
#include <string_view>

namespace gpy::rt {

// The assembly with a symbol `_gpy_alone_NAME` for each kernel from whose entry no function is
// reached that goes on with another fiber, nor one that is not known by its name.
std::string with_lone_kernels(const std::string& assembly);

}  // namespace gpy::rt
