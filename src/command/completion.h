#pragma once
// Completions of the word before the cursor: names, attributes behind dots, modules after import.

#include <string>
#include <string_view>
#include <vector>

#include "src/interpreter.h"

namespace gpy::command {

struct Completions {
  std::string stem;                // what was typed of the last name
  std::vector<std::string> words;  // whole names that begin with it, sorted
  // The text that all the words share beyond the stem.
  std::string common_rest() const;
};

// `text` is the line up to the cursor. Attributes are looked up, nothing is called.
Completions complete(Interpreter& vm, std::string_view text);

}  // namespace gpy::command
