#pragma once

// The CUDA C++ inside a kernel's braces: only as much of its lexical structure as is needed to
// find the closing brace and the parts of a reduction.

#include <array>
#include <optional>
#include <string>

#include "grammar/ast.h"

namespace gpy::syntax {

// The `}` that matches the `{` just before `at`; null if there is none.
[[nodiscard]] const char* find_closing_brace(const char* at, const char* end);

struct PartsError {
  const char* at;  // null: the whole text
  std::string message;
};

// identity, map, reduce, post: each absent (data() null) or the text after its label, trimmed.
using ReductionParts = std::array<std::string_view, 4>;

// Splits the text between the braces of a reduction. Throws PartsError.
[[nodiscard]] ReductionParts split_reduction(std::string_view text);

}  // namespace gpy::syntax
