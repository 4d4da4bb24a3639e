#pragma once
// What is taken for a path: str, bytes, and what has __fspath__.

#include <string>

#include "src/value.h"

namespace gpy {

// os.fspath: a str or bytes as it is, else what __fspath__ gives. TypeError for all others.
Value fs_path(Interpreter& vm, const Value& path);
// A path as the system takes it. ValueError for an embedded zero, UnicodeEncodeError for a
// surrogate that stands for no byte.
std::string path_text(Interpreter& vm, const Value& path);

}  // namespace gpy
