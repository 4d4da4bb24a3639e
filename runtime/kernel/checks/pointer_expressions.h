#pragma once

// Expressions in CUDA C++ source that make pointers of checked ones: they stay checked.

#include <set>
#include <string>
#include <vector>

#include "runtime/kernel/checks/source_words.h"

namespace gpy::rt {

// Addresses of elements, `&x[i]`, and casts as C writes them, `(float4*)x`, of what is called by
// one of `names`.
void rewrite_pointer_expressions(const std::vector<SourceWord>& words,
                                 const std::set<std::string>& names, SourceChanges& changes);

}  // namespace gpy::rt
