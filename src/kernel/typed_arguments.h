#pragma once
// Arguments of compiled functions and kernels, with their types.

#include <optional>

#include "runtime/typed/words.h"
#include "src/interpreter.h"
#include "src/translate/dialect.h"

namespace gpy {

struct TypedArgument {
  TypedType type;
  rt::typed::Data data;
};

// A number, an array in the machine's byte order, or a tuple of such; nullopt for other values.
std::optional<TypedArgument> try_typed_argument(Interpreter& vm, Dialect dialect,
                                                const Value& value);
// The same; TypeError with the function's and the parameter's name.
TypedArgument typed_argument(Interpreter& vm, Dialect dialect, const Value& value,
                             std::string_view function, std::string_view parameter);
// Equal for arguments that the same code takes.
std::string version_key(std::span<const TypedArgument> arguments);

}  // namespace gpy
