#pragma once
// Declarations that the files of os share.

#include <cerrno>
#include <string>

#include "src/objects/builtin.h"
#include "src/interpreter.h"
#include "src/types/file.h"
#include "src/types/paths.h"
#include "src/types/system_text.h"
#include "stdlib/native/fields.h"
#include "stdlib/native/records.h"

namespace gpy::lib {

void add_files(Interpreter& vm, Module& module);
void add_status(Interpreter& vm, Module& module);
void add_environment(Interpreter& vm, Module& module);
void add_process(Interpreter& vm, Module& module);

// Raises the error of errno if a call gave -1.
inline void check_call(Interpreter& vm, int result, const Value& path) {
  if (result < 0) raise_os_error(vm, errno, path);
}
[[noreturn]] void raise_two_paths(Interpreter& vm, const Value& from, const Value& to);

}  // namespace gpy::lib
