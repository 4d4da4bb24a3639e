#pragma once

// The #line directives of generated source.

#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

// The files that lines of what programs of this tree are written over, and of the table's rows, are
// told to be of.
constexpr std::string_view kSupportFile = "<support>";
constexpr std::string_view kRowsFile = "<rows>";

// The names in a source's #line directives, each once.
std::vector<std::string> line_directive_files(std::string_view source);

// Reads and removes the text between the next two quotes, its escapes replaced.
std::string take_quoted(std::string_view& text);

}  // namespace gpy::rt
