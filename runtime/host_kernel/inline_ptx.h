#pragma once

// PTX in a user's text (`asm("mov.u32 %0, %%laneid;" : "=r"(lane));`), which no C++ compiler reads.

#include <string>

namespace gpy::rt {

// The text with assembly statements of PTX as C++: reads of special registers, barriers, fences. In
// place of another stands a directive that makes the compiler tell, at its line, what to write
// instead. Statements of the host's own assembly stay.
std::string with_inline_ptx(const std::string& source);

}  // namespace gpy::rt
