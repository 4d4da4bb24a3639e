// A plugin that a host opens at run time, and closes again: gpy is linked to it.

#include <cstdio>
#include <memory>

#include <gpy.hpp>

// Runs a kernel, which leaves a thread behind as long as the interpreter lives, and shared work.
extern "C" __attribute__((visibility("default"))) double use_gpy(bool keep) try {
  auto gpy = std::make_unique<gpy::host::Interpreter>();
  gpy->run(
      "import numpy as np\n"
      "kernel raw store(float* a, float x) { a[0] = x; }\n"
      "a = gp.zeros(1, dtype=gp.float32)\n"
      "store[1, 1](a, 42)\n"
      "many = np.sort(np.arange(1000000.0) % 7)\n"
      "product = np.ones((100, 100)) @ np.ones((100, 100))");
  const double result = gpy->evaluate("float(a[0]) + many[0] + product[0, 0] - 97").to_double();
  if (keep) gpy.release();
  return result;
} catch (const gpy::host::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 0;
}
