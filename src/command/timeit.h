#pragma once
// %timeit: as many loops as take up to 0.3 s, seven times, in IPython's form.

#include <string>

#include "src/interpreter.h"

namespace gpy::command {

// Takes "[-n LOOPS] [-r RUNS] STATEMENT", and returns the text to print. Arrays made by the
// statement are computed in each loop, and a run ends when the device is done.
std::string timeit(Interpreter& vm, const std::string& text);

// "32.1 ns", "1.5 ms", "1min 5s": three digits, as IPython writes times.
std::string format_time(double seconds);
double wall_seconds();

}  // namespace gpy::command
