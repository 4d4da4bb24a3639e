#pragma once

// Changes to a kernel's assembly text (x86-64, AT&T syntax) before it is assembled. The first is
// made to every text, the others where the user's assembly statements are understood:
// - constructors of the text's variables run in a guarded run, not while the object is opened;
// - polls: a loop that never ends can be left. Loops are found here, and not in the source, because
//   each of them, however it was written, is a jump backwards by now, and because a poll in the
//   source would keep the compiler from vectorizing them;
// - tail jumps to functions of C become calls: the return address tells whose fault one inside
//   them is;
// - a table from addresses to the user's lines.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

// Moves the lists of functions that run when an object is opened and closed to sections of their
// own: the shim's _gpy_initialise runs the first, nothing the second.
std::string defer_initialisers(std::string_view assembly);

// `files` are the names that #line directives of the source give: the table tells their index. Code
// of other files does not count as the user's. Returns nothing where the user's own assembly
// statements are not understood.
std::optional<std::string> guard_assembly(std::string_view assembly,
                                          const std::vector<std::string>& files);

// One entry of the table, as the object holds it between `_gpy_lines` and `_gpy_lines_end`: code
// from `address` on, which is relative to the entry itself, comes from that line.
struct LineEntry {
  int32_t address;
  int32_t file;  // an index, or one of the two below
  int32_t line;
};
constexpr int32_t kNoUserFile = -1;
constexpr int32_t kFunctionStart = -2;

}  // namespace gpy::rt
