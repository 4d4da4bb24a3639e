#pragma once

// Kernels whose barriers stand in control flow that is the same for all threads of a block. Of each
// a second form is written behind it, in which no thread waits: between two barriers it is a loop
// over the block's threads, which the compiler vectorizes. Variables that a thread keeps across a
// barrier are arrays with an element a thread there. What runs a block (fiber_launcher_text.cpp)
// takes this form where there is one, and fibers for the others.
//
// Only what is understood for sure is rewritten. In the loops, variables that must not be changed
// are constants: where this reading of the text has missed something, the text does not compile,
// and fibers remain.

#include <map>
#include <string>

namespace gpy::rt {

struct ThreadLoops {
  std::string source;  // with the second forms
  // Those that have one; whether it may refuse a block, for want of memory.
  std::map<std::string, bool> functions;
};

ThreadLoops with_thread_loops(const std::string& source);

// The name of a function's second form; of an instance of a template too.
std::string looped_name(const std::string& function);

}  // namespace gpy::rt
