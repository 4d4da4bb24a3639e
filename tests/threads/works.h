#pragma once
// Scripts of many kinds, each short and run again and again; none of them ends in an error.

#include <span>

namespace gpy::test::threads {

struct Work {
  const char* name;
  const char* source;
};

// What runs on the CPU, and what a GPU is asked for besides.
std::span<const Work> cpu_works();
std::span<const Work> device_works();

}  // namespace gpy::test::threads
