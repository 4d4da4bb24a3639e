#pragma once
// The way to make an object once more: by its __reduce_ex__, or as CPython does without one.

#include <optional>
#include <utility>
#include <vector>

#include "src/interpreter.h"

namespace gpy::lib {

struct Recipe {
  Value make;  // called with `arguments`
  std::vector<Value> arguments;
  Value state;  // for __setstate__, or the attributes
  Value items;  // an iterable of items to append
  Value pairs;  // an iterable of (key, item) to set
};

// Nothing for an object that is its own copy. TypeError for one that cannot be made once more.
std::optional<Recipe> recipe_of(Interpreter& vm, const Value& v);

// Whether a part of a recipe is neither undefined nor None.
inline bool is_given(const Value& part) { return part.is_defined() && !part.is_none(); }

// The method of that name; undefined where there is none, or None in its place.
Value method_of(Interpreter& vm, const Value& v, std::string_view name);

// key, item = pair
std::pair<Value, Value> unpacked(Interpreter& vm, const Value& pair);

// Sets an object's state as its recipe says.
void put_state(Interpreter& vm, const Value& into, const Value& state);

}  // namespace gpy::lib
