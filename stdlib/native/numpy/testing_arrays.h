#pragma once
// numpy.testing.assert_array_compare: two arrays element by element, with NumPy's messages.

#include <functional>
#include <string>

#include "stdlib/native/numpy/comparison.h"

namespace gpy::lib {

[[noreturn]] void fail_assertion(Interpreter& vm, const std::string& message);
// The first three lines of a text that has more than four; else all of it.
std::string first_lines(std::string text);

// The message about two arrays that are not as they should be.
struct ArrayReport {
  Interpreter& vm;
  ComparedPair pair;
  std::string header;
  std::string note = {};  // err_msg
  bool verbose = true;
  int precision = 6;  // for the elements shown
  std::string names[2] = {"ACTUAL", "DESIRED"};
};

struct Demands {
  bool strict = false;    // the arrays must have one shape and dtype
  bool equal_nan = true;  // NaNs must stand at the same places; they are not compared
  bool equal_inf = true;  // so must infinities, with the same signs
};

// A function that gives a truth for each element.
using Holds = std::function<rt::Array(const ComparedPair&)>;
// AssertionError unless the demands are met and `holds` is true of all elements.
void require_elements(const ArrayReport& report, const Demands& demands, const Holds& holds);

}  // namespace gpy::lib
