#pragma once
// Functions of arrays that are written in gpy (stdlib/numpy/*.gpy, a file a family). One text
// serves numpy, cupy and gp: each runs it when one of its names is first asked for.

#include <span>
#include <string_view>

#include "src/array/namespace.h"
#include "src/interpreter.h"

namespace gpy::lib {

struct FamilyText {
  std::string_view part;  // of numpy: "linalg"; empty for numpy itself
  const char* file;       // as errors show it
  std::string_view text;
  std::span<const std::string_view> names;  // that the text binds for its users
};

// The texts that the build has found below stdlib/numpy.
std::span<const FamilyText> family_texts();

// The value of a name; undefined where no family of the part has it.
Value find_in_library(Interpreter& vm, const Namespace& names, std::string_view part,
                      std::string_view name);
// Answers for arrays of text, dates, records and objects: Arrays::other_kinds.
Value other_kinds(Interpreter& vm);
void list_library_names(Interpreter& vm, std::string_view part, std::vector<Str*>& names);

}  // namespace gpy::lib
