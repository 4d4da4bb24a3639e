#include <doctest/doctest.h>

#include <atomic>

#include "runtime/core/error.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/reduce.h"
#include "runtime/session.h"

namespace gpy::rt {
namespace {

TEST_CASE("an interrupt stops a computation, which stays pending and can be tried again") {
  std::atomic<bool> interrupted{true};
  Session session(std::make_shared<Runtime>(DeviceChoice::parse("cpu")));
  session.interrupt = &interrupted;
  const Array range = iota(session, Dims{1'000'000}, Space::host());
  const Array sum = reduce(session, Fold::add, ops::add(session, range, range), {});
  try {
    item(session, sum);
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInterrupt);
  }
  CHECK(sum.value()->pending());
  interrupted = false;
  CHECK(item(session, sum).as_int() == 999'999'000'000);
}

}  // namespace
}  // namespace gpy::rt
