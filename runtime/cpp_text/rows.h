#pragma once

// The rows of the table of ufuncs as C++ functions of one element.

#include <string_view>

#include "runtime/cpp_text/writer.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt {

// `GPY_FN f32 NAME(f32 x, f32 y) { ... }`, to be compiled behind support_text().
void write_row_function(CppWriter& out, std::string_view name, const Ufunc& ufunc,
                        const UfuncLoop& loop);

}  // namespace gpy::rt
