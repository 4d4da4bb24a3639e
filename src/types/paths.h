#pragma once
// Arguments that are paths: str, bytes, and objects with __fspath__.

#include <string>

#include "src/value.h"

namespace gpy {

// os.fspath: a str or bytes itself, else the result of __fspath__. TypeError for all others.
Value fs_path(Interpreter& vm, const Value& path);
// A path in the system's bytes. ValueError for an embedded zero, UnicodeEncodeError for a surrogate
// that stands for no byte.
std::string path_text(Interpreter& vm, const Value& path);

}  // namespace gpy
