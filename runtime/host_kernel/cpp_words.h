#pragma once

// What words of C++ and CUDA mean to a reader that is no compiler.

#include <string_view>

namespace gpy::rt {

// Types are none of them.
bool is_cpp_keyword(std::string_view word);
bool is_builtin_type(std::string_view word);
// A function that computes a value from its arguments, and does nothing else.
bool is_pure_function(std::string_view word);
// threadIdx and its like.
bool is_position_word(std::string_view word);
// Whether it waits for other threads, or tells one from another.
bool depends_by_itself(std::string_view word);

}  // namespace gpy::rt
