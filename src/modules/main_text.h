#pragma once
// A module run as the program, as Python's runpy does it.

#include <stdexcept>
#include <string>
#include <string_view>

#include "src/interpreter.h"

namespace gpy {

struct MainText {
  std::string file;
  std::string package;  // what relative imports start from
  std::string text;
};

// There is nothing to run by that name; the message is CPython's.
struct NoMainText : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The text of the module, or of a package's __main__; packages on the way are imported. Throws
// NoMainText, or what an import raised.
MainText find_main_text(Interpreter& vm, std::string_view name);

}  // namespace gpy
