#pragma once

// The parts of the text that surrounds a user's CUDA C++ (host_shim.h), each by what it defines.

#include <string>
#include <string_view>

namespace gpy::rt {

// int2, make_float4, dim3 ...
std::string_view vector_text();
// Textures and surfaces; the first part is the runtime's too (texture_support.h).
std::string_view texture_text();
std::string_view texture_support_text();
// CUDA's mathematical functions, as far as C++ does not have them.
std::string_view math_text();
// Intrinsics: of integers, conversions with a rounding, bits of floats, arithmetic with a rounding.
std::string_view intrinsic_text();
// Atomic operations, fences, accesses with a cache hint.
std::string_view atomic_text();

// Where threads do not meet: the threads of a block one after another, and the launcher's part
// behind the user's text.
std::string_view loop_text();
std::string_view loop_launcher_text();
// Of texts that use no names but their own: C's functions, where a thread is, and what runs blocks.
std::string_view own_functions_text();
std::string_view own_threads_text();
std::string_view own_launcher_text();
// What a checked kernel tells of its blocks, threads and accesses: before the fibers, and behind
// their launcher.
std::string_view event_text();
std::string_view watch_text();
// Where threads meet: the threads of a block as fibers, barriers ...
std::string_view fiber_text();
// ... the launcher's part, behind the user's text ...
std::string_view fiber_launcher_text();
// ... and the operations of a warp.
std::string_view warp_text();

// What headers of CUDA declare that the user's text includes.
std::string_view cooperative_groups_text();
std::string_view math_constants_text();
std::string_view curand_text();

}  // namespace gpy::rt
