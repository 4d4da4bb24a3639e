#pragma once
// Functions of gpy that are compiled for the CPU when they are called: numba.njit, gp.compile.

#include <map>
#include <memory>
#include <string>

#include "runtime/typed/compiled_function.h"
#include "src/array/arrays.h"
#include "src/translate/dialect.h"

namespace gpy {

// A function, and what has been compiled of it by the types of the arguments.
struct CompiledObject : Object {
  static constexpr ObjectLayout kLayout = kCompiledLayout;
  CompiledObject(Type* type, Value function, Dialect dialect)
      : Object(type), function(std::move(function)), dialect(dialect) {}

  struct Version {
    std::shared_ptr<rt::typed::CompiledFunction> code;
    std::vector<TypedType> types;
  };

  Value function;
  Dialect dialect;
  std::map<std::string, Version> versions;
};

void setup_compiled(Arrays& state);
// The object that compiles a function.
Value make_compiled(Interpreter& vm, const Value& function, Dialect dialect);

}  // namespace gpy
