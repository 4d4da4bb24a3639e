#pragma once
// The pages of stdlib/help, which tell more of the library's functions than their docstrings.

#include <span>
#include <string>
#include <string_view>

namespace gpy::lib {

// A family of a module's functions. A name begins a page, whose text is indented.
struct HelpText {
  std::string_view module, text;
};

// All of them, as the build puts them into library_texts.cpp.
std::span<const HelpText> help_texts();

// The page on a function; empty where there is none. cupy's and gp's are numpy's.
std::string help_page(std::string_view module, std::string_view qualified_name);

}  // namespace gpy::lib
