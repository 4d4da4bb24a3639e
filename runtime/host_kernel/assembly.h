#pragma once

// What is added to a kernel's assembly text before it is assembled: polls, so that a loop which
// never ends can be left, and a table from addresses to the user's lines. Loops are found here, and
// not in the source, because each of them, however it was written, is a jump backwards by now, and
// because a poll in the source would keep the compiler from vectorizing them. x86-64, AT&T syntax.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

// `files` are the names that #line directives of the source give: the table tells their index.
// Code of other files counts as none of the user's. Nothing, where the user's own assembly
// statements hold what is not understood.
std::optional<std::string> guard_assembly(std::string_view assembly,
                                          const std::vector<std::string>& files);

// The names in a source's #line directives, each once.
std::vector<std::string> line_directive_files(std::string_view source);

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
