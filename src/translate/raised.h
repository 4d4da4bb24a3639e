#pragma once
// Where kernels of numba.cuda tell of what they raise: an array that such a kernel takes behind its
// parameters. Its first word is 0 as long as nothing is raised, then what was raised first: its
// number among the program's, and the line below; the others are the thread and the block, z first.

#include "src/translate/dialect.h"

namespace gpy {

constexpr const char* kRaisedParameter = ".raised";
constexpr int kRaisedWords = 7;

inline TypedType raised_type() { return TypedType::array(rt::DType::kUInt64, 1, true); }

}  // namespace gpy
