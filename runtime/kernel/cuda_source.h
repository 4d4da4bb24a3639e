#pragma once

// The runtime's own reading of CUDA C++ source, before a compiler's: the kernels that it declares.
// It looks at words and brackets only; macros are not expanded.

#include <string>
#include <string_view>
#include <vector>

namespace gpy::rt {

struct KernelDeclaration {
  std::string name;
  std::string parameters;                // the text between the parentheses
  bool is_template = false;              // only its instances are kernels
  std::string template_parameters = {};  // "class T, int N"
};

// Whether a character may stand in a name: letters, digits, underscores and bytes of UTF-8.
bool is_name_char(char c);
bool is_blank(char c);
// The text without the blanks around it.
std::string_view trimmed(std::string_view text);
// Where the bracket that opens at `open` closes in a text without comments; npos: nowhere.
size_t closing_bracket(std::string_view clean, size_t open);

// Each name declared after `__global__`, once, in order.
std::vector<KernelDeclaration> find_kernels(std::string_view source);

// Whether it launches kernels itself: `child<<<grid, block>>>(x)`.
bool launches_kernels(std::string_view source);

// The source with its comments, and its string and character literals, as blanks.
std::string without_comments(std::string_view source);

// The lines that are compiled without a CUDA compiler: those under `#ifdef __CUDACC_RTC__` and its
// like are removed. Where a condition needs more than these names, its branches stay.
std::string host_lines(std::string_view source);

}  // namespace gpy::rt
