#include "tests/runner/choice.h"

#include <algorithm>
#include <cstdint>

#include "tests/runner/script.h"

namespace gpy::test {

// Scripts that print where they are, what time it is or what memory holds, that change a setting
// of the interpreter or a module for good, or whose kernels are compiled, print something else the
// next time.
static bool is_steady(const Script& script) {
  for (const char* word : {"import time",     "import gc",
                           "import warnings", "import builtins",
                           "sys.std",         "seterr",
                           "set_print",       "sleep",
                           "tracemalloc",     "subprocess",
                           "os.getpid",       "random.seed()",
                           "default_rng()",   "kernel ",
                           "RawKernel",       "RawModule",
                           "raw_kernel",      "ElementwiseKernel",
                           "ReductionKernel", "10**8",
                           "10 ** 8",         "shapes.total",
                           ".use()",          "set_allocator",
                           "setDevice",       "numba",
                           "pycuda",          "jit",
                           "set_random"}) {
    if (script.text.find(word) != script.text.npos) return false;
  }
  return script.skip.empty() && script.fake_gpus.empty() && script.runs_on("cpu");
}

std::vector<std::string> find_steady(const char* folder) {
  std::vector<std::string> steady;
  for (const std::string& path : find_scripts(folder)) {
    if (is_steady(read_script(path))) steady.push_back(path);
  }
  return steady;
}

static uint64_t hash_of(std::string_view path) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const unsigned char each : path) hash = (hash ^ each) * 0x100000001b3;
  return hash;
}

std::vector<std::string> choose_steady(const char* folder, size_t count) {
  std::vector<std::string> steady = find_steady(folder);
  std::ranges::sort(steady, {}, hash_of);
  steady.resize(std::min(count, steady.size()));
  std::ranges::sort(steady);
  return steady;
}

}  // namespace gpy::test
