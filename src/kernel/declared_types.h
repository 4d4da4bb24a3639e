#pragma once
// Arguments as the types that a signature declares.

#include <optional>

#include "src/kernel/typed_arguments.h"

namespace gpy {

// The argument as a declared type; nullopt where it does not become one.
std::optional<TypedArgument> as_declared(const TypedArgument& given, const TypedType& type);

// All arguments as the types of a signature; nullopt: it does not take them.
std::optional<std::vector<TypedArgument>> as_declared(std::span<const TypedArgument> given,
                                                      const std::vector<TypedType>& types);
// Whether numbers have the very types.
bool is_exact(std::span<const TypedArgument> given, const std::vector<TypedType>& types);
[[noreturn]] void raise_no_match(Interpreter& vm, std::span<const TypedArgument> arguments);

// The signature, of `count` whose types are types_of(i), that takes the arguments: the first that
// takes them as they are, else the first that they become, which they then are. TypeError: none
// does.
template <class TypesOf>
size_t choose_declared(Interpreter& vm, size_t count, TypesOf&& types_of,
                       std::vector<TypedArgument>& arguments) {
  std::optional<size_t> found;
  std::vector<TypedArgument> converted;
  for (size_t i = 0; i < count; ++i) {
    const std::vector<TypedType>& types = types_of(i);
    auto as = as_declared(arguments, types);
    if (!as || (found && !is_exact(arguments, types))) continue;
    found = i;
    converted = std::move(*as);
    if (is_exact(arguments, types)) break;
  }
  if (!found) raise_no_match(vm, arguments);
  arguments = std::move(converted);
  return *found;
}

}  // namespace gpy
