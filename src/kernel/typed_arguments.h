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

// A number, an array in the machine's byte order, or a tuple of such; by Numba's rules also a list
// with items of one type, a dictionary of numba.typed, and an instance of a jit class, whose fields
// are left out until with_fields and read_fields add them; nullopt for other values.
std::optional<TypedArgument> try_typed_argument(Interpreter& vm, Dialect dialect,
                                                const Value& value);
// The same; TypeError with the function's and the parameter's name.
TypedArgument typed_argument(Interpreter& vm, Dialect dialect, const Value& value,
                             std::string_view function, std::string_view parameter);
// The type with the fields of instances, and what is in them.
TypedType with_fields(Interpreter& vm, const TypedType& type);
void read_fields(Interpreter& vm, const TypedType& type, rt::typed::Data& data);

// Lists and dictionaries of numba.typed are objects around one.
bool is_typed(const TypedType& type);
Value make_typed(Interpreter& vm, const TypedType& type, const Value& items);
// The list itself, of either.
Value list_of_argument(Interpreter& vm, const Value& argument);

// Equal for arguments that the same code takes.
std::string version_key(std::span<const TypedArgument> arguments);

}  // namespace gpy
