#pragma once
// list[int]: a type with what stands in brackets behind it, as annotations have it. It is called as
// the type itself is; isinstance refuses it.

#include <span>
#include <string>
#include <vector>

#include "src/value.h"

namespace gpy {

// `arguments`: a tuple, or one argument.
Value make_generic_alias(Interpreter& vm, const Value& origin, const Value& arguments);
bool is_generic_alias(const Value& v);
Type* generic_alias_type(Interpreter& vm);

// Lets TYPE[...] of a native type give an alias; called when the type is made.
void take_type_arguments(Type* type);

// What stands in brackets, as text: types by their names alone.
std::string annotation_text(Interpreter& vm, const Value& v);
// The type variables among arguments, each once.
std::vector<Value> type_parameters(Interpreter& vm, std::span<const Value> arguments);
// The arguments of `alias` with `items`, a tuple or one item, in the place of the variables.
std::vector<Value> with_type_arguments(Interpreter& vm, const Value& alias,
                                       std::span<const Value> arguments, const Value& items);

void setup_generic_alias(Interpreter& vm);

}  // namespace gpy
