#pragma once
// How an object is made once more: what its __reduce_ex__ says, or CPython's would.

#include <optional>
#include <utility>
#include <vector>

#include "src/interpreter.h"

namespace gpy::lib {

struct Recipe {
  Value make;  // is called with
  std::vector<Value> arguments;
  Value state;  // is for __setstate__, or the attributes
  Value items;  // an iterable of what is appended
  Value pairs;  // an iterable of keys and what is set under them
};

// Nothing for what stands for itself. TypeError for what cannot be made once more.
std::optional<Recipe> recipe_of(Interpreter& vm, const Value& v);

// A part of a recipe that says something.
inline bool is_given(const Value& part) { return part.is_defined() && !part.is_none(); }

// The method of that name; undefined where there is none, or None in its place.
Value method_of(Interpreter& vm, const Value& v, std::string_view name);

// key, item = pair
std::pair<Value, Value> unpacked(Interpreter& vm, const Value& pair);

// Gives an object what its recipe has as the state.
void put_state(Interpreter& vm, const Value& into, const Value& state);

}  // namespace gpy::lib
