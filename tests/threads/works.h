#pragma once
// Scripts of many kinds, each short and run again and again; none of them ends in an error.

#include <span>

namespace gpy::test::threads {

struct Work {
  const char* name;
  const char* source;
};

// The works that run on the CPU, and those for a GPU.
std::span<const Work> cpu_works();
std::span<const Work> device_works();

}  // namespace gpy::test::threads
