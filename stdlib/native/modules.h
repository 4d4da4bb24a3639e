#pragma once
// The native modules of Python's own library: install (open.cpp) registers each of the list under
// its name, with its loader.

#include "src/value.h"

namespace gpy::lib {

// clang-format off
#define GPY_NATIVE_MODULES(X) \
  X(math) X(cmath) X(time) X(sys) X(operator) X(itertools) X(random) X(copy) X(bisect) X(gc) \
  X(_functools) X(_collections) X(_json) X(_os) X(_heapq) X(_abc) X(_dataclasses) X(_warnings) X(_enum) \
  X(_traceback)
// clang-format on

#define GPY_DECLARE(name) Value open_##name(Interpreter& vm);
GPY_NATIVE_MODULES(GPY_DECLARE)
#undef GPY_DECLARE

// The modules written in gpy (stdlib/*.gpy), whose texts the build puts into library_texts.cpp.
void register_library_texts(Interpreter& vm);

}  // namespace gpy::lib
