#pragma once

// Declarations in CUDA C++ source, read from words.

#include <optional>
#include <string>
#include <vector>

#include "runtime/kernel/checks/source_words.h"

namespace gpy::rt {

// `const float* __restrict__ x`, `float x[]`.
struct PointerDeclaration {
  std::string type;  // that it points to: "const float"
  std::string name;  // empty where it has none
};

// The words [from, to) as one; nullopt for what is no pointer, or one of another form: to a
// pointer, to void, to a function.
std::optional<PointerDeclaration> read_pointer(const std::vector<SourceWord>& words, size_t from,
                                               size_t to);

// `float x[3][N]`, or `float x`
struct ArrayDeclaration {
  std::string type;
  std::string name;
  std::vector<std::string> extents;  // as written; an empty one is open
  size_t end;                        // one past its last word
};

// The declarations that begin at the word `from` up to the `;` or `=` behind them: `int a[2], b,
// c[3]` is three, of which b has no extents. None where they are of another form.
std::vector<ArrayDeclaration> read_arrays(const std::vector<SourceWord>& words, size_t from);

// Whether a word may be a name: not a number, a sign or a word of C++ that begins a statement.
bool is_plain_name(std::string_view word);

// Whether `float`, `const unsigned int` or `float4` is a type for sure.
bool is_type(std::string_view type);

// The words [from, to) as text.
std::string joined_words(const std::vector<SourceWord>& words, size_t from, size_t to);

}  // namespace gpy::rt
