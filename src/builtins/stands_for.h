#pragma once

#include <string_view>

namespace gpy {

class Interpreter;
struct Type;

// The hidden attribute of a class: a tuple of types, for whose objects isinstance takes the
// class's.
inline constexpr std::string_view kStandsFor = "<stands for>";

// Whether a class of the library says of its objects that they are of a native type too, whose
// methods they have no use for.
bool stands_for(Interpreter& vm, Type* type, Type* wanted);

}  // namespace gpy
