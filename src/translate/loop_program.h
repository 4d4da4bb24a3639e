#pragma once
// A loop of a script as a program that takes over from the interpreter (loop_translator.h).

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/translate/loop_translator.h"

namespace gpy {

struct LoopProgram {
  rt::typed::Program program;
  std::vector<LoopExit> exits;
  std::vector<LoopState> states;
  std::vector<Belief> beliefs;
  std::set<std::string> used;  // names of the frame that were taken as constants
  bool writes = false;         // to arrays
};

// `source`: that of the function or module which the loop stands in. Throws TranslationFailure
// where no iteration would get to its end.
LoopProgram translate_loop(Interpreter& vm, const TranslationSource& source,
                           const syntax::Stmt& loop, LoopVariables names);

// The names that a loop assigns to, and those that it only reads.
struct LoopNames {
  std::vector<std::string> assigned;
  std::set<std::string_view> set_first;  // of those: an iteration's text sets them, then reads them
  std::vector<std::string_view> read;
};
LoopNames names_of(const syntax::Stmt& loop);

}  // namespace gpy
