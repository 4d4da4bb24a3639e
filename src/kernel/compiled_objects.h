#pragma once
// Functions of gpy that are compiled for the CPU when they are called: numba.njit, gp.compile.

#include <map>
#include <memory>
#include <string>

#include "runtime/typed/compiled_function.h"
#include "src/array/arrays.h"
#include "src/translate/translation.h"

namespace gpy {

struct CompileOptions {
  TranslationOptions translation;
  bool fast_math = false;
};

// A function, and what has been compiled of it by the types of the arguments.
struct CompiledObject : Object {
  static constexpr ObjectLayout kLayout = kCompiledLayout;
  CompiledObject(Type* type, Value function, Dialect dialect)
      : Object(type), function(std::move(function)), dialect(dialect) {}

  struct Version {
    std::shared_ptr<rt::typed::CompiledFunction> code;
    std::vector<TypedType> types;
    std::vector<Value> statics;  // as of CallArguments
    TypedType result;
    ProgramValues values;
  };

  Value function;
  Value stencil;  // what numba.stencil was told: the function runs at each place; else undefined
  Dialect dialect;
  CompileOptions options;
  std::map<std::string, std::shared_ptr<const Version>> versions;
  std::vector<std::shared_ptr<const Version>> made;  // the same in their order
  std::shared_ptr<const Version> last;  // the one that was called last, if it has no statics
  bool compiles = true;                 // for other types than those so far
  std::vector<std::shared_ptr<const Version>> declared;  // of signatures: then there are no others
};

// The threads that parallel loops run on.
int64_t most_threads();
int64_t wanted_threads(Interpreter& vm);

void setup_compiled(Arrays& state);
// The object that compiles a function.
Value make_compiled(Interpreter& vm, const Value& function, Dialect dialect,
                    const CompileOptions& options = {});
// The object that compiles the loops of a stencil (translate/stencil.h).
Value make_compiled_stencil(Interpreter& vm, const Value& spec);
// The address of what has been declared, as a function of C: the last signature.
void* compiled_address(Interpreter& vm, const Value& compiled);
// Compiles it for arguments of these types; `result`: the type that it is cast to, or None.
void declare_signature(Interpreter& vm, const Value& compiled, std::span<const Value> types,
                       const Value& result);

}  // namespace gpy
