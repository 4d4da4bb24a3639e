// Interpreters on many threads at once. Everything here is for ThreadSanitizer to see
// (cmake -DGPY_SANITIZE=thread); an ordinary build sees wrong results and deadlocks alone.
//
// Run from the root of the tree. GPY_TEST_LONG: as many of each as scripts/test --long does.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/cli/process.h"
#include "tests/fake_cuda/fake_cuda.h"
#include "tests/fake_cuda/load.h"
#include "tests/threads/device.h"

// Some scripts ask for more memory than there is.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}

namespace gpy::test::threads {

static bool device_is_open = false;

bool has_device() { return device_is_open; }

void open_device() {
  const FakeCuda* fake = load_fake_cuda();
  if (!fake) return;
  fake->set_counting(false);
  fake->set_memory(size_t{1} << 36);  // for many pools, which never touch it
  device_is_open = true;
}

}  // namespace gpy::test::threads

// The environment is set before there is a second thread. Pools have several threads
// whatever cores there are, and a kernel is compiled once for all tests.
int main(int count, char** arguments) {
  const gpy::test::TemporaryFolder cache;
  setenv("GPY_CACHE_DIR", cache.path().c_str(), 1);
  setenv("GPY_NUM_THREADS", "4", 1);
  gpy::test::threads::open_device();
  doctest::Context context(count, arguments);
  return context.run();
}
