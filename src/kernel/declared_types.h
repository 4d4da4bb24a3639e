#pragma once
// Arguments as the types that a signature declares.

#include <optional>

#include "src/kernel/typed_arguments.h"

namespace gpy {

// The argument as a declared type; nullopt where it does not become one.
std::optional<TypedArgument> as_declared(const TypedArgument& given, const TypedType& type);

}  // namespace gpy
