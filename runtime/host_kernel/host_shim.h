#pragma once

#include <string>
#include <string_view>

namespace gpy::rt {

// CUDA's names for the host's compiler: before the user's text, and after it, where launchers and
// the object's side of KernelObject follow.
std::string_view host_shim_before();
std::string host_shim_after();

// Functions that the linker is to turn into `__wrap_` ones of the shim: those that end the process,
// those that throw and catch.
constexpr std::string_view kWrappedFunctions[] = {
    "abort",         "exit",        "_exit",
    "_Exit",         "quick_exit",  "_ZSt9terminatev",
    "__assert_fail", "__cxa_throw", "__cxa_begin_catch"};

}  // namespace gpy::rt
