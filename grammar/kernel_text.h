#pragma once

// The CUDA C++ inside a kernel's braces: only as much of its lexical structure as is needed to
// find the closing brace and the parts of a text.

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

// By label: each absent (data() null) or the text after its label, trimmed.
using KernelParts = std::array<std::string_view, kKernelLabels>;

// Splits the text between the braces at the labels that the kind has. nullopt for an elementwise
// kernel's or a stencil's that does not begin with one: it is all operation. Throws PartsError.
[[nodiscard]] std::optional<KernelParts> split_kernel_text(KernelKind kind, std::string_view text);

}  // namespace gpy::syntax
