#pragma once

// The text before a user's CUDA C++ in every object, which makes it text for the system's C++
// compiler. It calls back into this process only through the functions that KernelObject hands
// over.

#include <string>
#include <string_view>

namespace gpy::rt {

// CUDA's names for the host's compiler, what runs the threads of blocks, and the object's side of
// KernelObject. `stack_shift` is 0 where threads do not meet: they run
// one after another. Else they are fibers, on stacks of that size (block_stacks.h).
// `in_order`: all that wait go on in the order of their threads, which costs time.
// `watched`: it is compiled so that each access is told (watch_text.cpp).
std::string host_shim(unsigned stack_shift, bool in_order, bool watched);
// The same for a text of this tree's own (kOwnNamesOnly), which is a quarter of what others cost.
std::string own_shim();
// Follows the user's text, whose macros may have any name but one of gpy's own. What KernelObject
// finds of a kernel: its launcher, and a symbol that tells that it names its grid. `symbol`: the
// kernel in names of symbols, where it is an instance of a template. `has_loops`: the text has the
// kernel's second form (thread_loops.h).
std::string host_launcher(std::string_view kernel, std::string_view symbol, unsigned stack_shift,
                          bool names_grid, bool has_loops);

// The file of the shim's functions that access the user's memory. Their caller is noted in the
// thread's position.
constexpr std::string_view kCalledFile = "<called>";

// C's functions that keep no locks and no state: a kernel can be left in the midst of them.
constexpr const char* kLeafFunctions[] = {"memcpy", "memmove", "memset", "memcmp",
                                          "strlen", "memchr",  "strcmp", "strcpy"};

// Functions that the linker is to turn into `__wrap_` ones of the shim: those that end the process,
// those that throw and catch, those that jump, and those that register what is run at the end.
constexpr std::string_view kWrappedFunctions[] = {"abort",
                                                  "exit",
                                                  "_exit",
                                                  "_Exit",
                                                  "quick_exit",
                                                  "_ZSt9terminatev",
                                                  "__assert_fail",
                                                  "__cxa_throw",
                                                  "__cxa_begin_catch",
                                                  "__cxa_rethrow",
                                                  "longjmp",
                                                  "_longjmp",
                                                  "siglongjmp",
                                                  "__longjmp_chk",
                                                  "__cxa_atexit",
                                                  "__cxa_thread_atexit",
                                                  "atexit",
                                                  "at_quick_exit",
                                                  "on_exit"};

}  // namespace gpy::rt
