#pragma once
// Tables of what natives do with objects of classes over arrays.

#include <string_view>

namespace gpy::lib {

// What NumPy does with an object of a class that a function gets.
enum class Rule {
  by_method,  // the object's own method does it
  row,        // the same, or its method `_as_plain_row`: what was a np.matrix has one axis
  keeps,      // the result takes the class
  ufunc,      // the same, and a number becomes an array without axes of it
  subok,      // it does so where the argument `subok` says it
  strips,     // the object is taken as a plain array, and is not the result itself
  joins,      // the result takes a class of the items that has a priority above that of arrays
};

struct FunctionRule {
  std::string_view name;
  Rule rule;
  std::string_view method = {};  // if its name is another one
};

// Null: the function takes no note of classes.
const FunctionRule* rule_of(std::string_view function);

// Reductions: a single number is an array without axes of the class. `ufunc`: whose reduce it is.
struct Reducer {
  std::string_view name;
  const char* ufunc;
};

// Null: the method is no reduction.
const Reducer* reducer_of(std::string_view method);

}  // namespace gpy::lib
