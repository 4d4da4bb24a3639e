#pragma once
// list[int]: a type and the arguments in brackets behind it, as in annotations. A call of it is a
// call of the type; isinstance refuses it.

#include <span>
#include <string>
#include <vector>

#include "src/value.h"

namespace gpy {

// `arguments`: a tuple, or one argument.
Value make_generic_alias(Interpreter& vm, const Value& origin, const Value& arguments);
bool is_generic_alias(const Value& v);
Type* generic_alias_type(Interpreter& vm);

// Makes TYPE[...] of a native type return an alias; called when the type is made.
void take_type_arguments(Type* type);

// The text of an argument in brackets: types by their names alone.
std::string annotation_text(Interpreter& vm, const Value& v);
// The type variables among arguments, each once.
std::vector<Value> type_parameters(Interpreter& vm, std::span<const Value> arguments);
// The arguments of `alias` with `items`, a tuple or one item, in the place of the variables.
std::vector<Value> with_type_arguments(Interpreter& vm, const Value& alias,
                                       std::span<const Value> arguments, const Value& items);

void setup_generic_alias(Interpreter& vm);

}  // namespace gpy
