// The streams that the interpreters of a host work on.

#include <doctest/doctest.h>

#include "tests/threads/device.h"

namespace gpy::test::threads {

namespace {

using host::Interpreter;

constexpr const char* kStreams =
    "import cupy as cp\n"
    "x = cp.arange(1000) + 1\n"
    "gp.eval(x)\n"
    "null = cp.cuda.Stream.null\n"
    "first = null.ptr\n"
    "assert cp.cuda.get_current_stream() == null and cp.cuda.get_current_stream().ptr == first\n"
    "with cp.cuda.Stream() as other:\n"
    "    assert cp.cuda.get_current_stream() == other != null and other.ptr != first\n"
    "    y = x + 1\n"
    "assert cp.cuda.get_current_stream() == null\n"
    "other.use()\n"
    "null.use()\n"
    "assert cp.cuda.get_current_stream().ptr == first\n"
    "cp.cuda.runtime.streamSynchronize(0)\n"
    "z = y + x\n"
    "null.synchronize()\n";

int64_t first_stream(Interpreter& gpy) {
  gpy.run(kStreams);
  return gpy.evaluate("first").to_int();
}

}  // namespace

TEST_CASE("each interpreter of a host works on a stream of its own, or on the one it is given") {
  if (!has_device()) return;
  Interpreter one(quiet("cuda")), two(quiet("cuda", &one));
  const int64_t of_one = first_stream(one), of_two = first_stream(two);
  CHECK(of_one != 0);
  CHECK(of_two != 0);
  CHECK(of_one != of_two);

  host::Options options = quiet("cuda", &one);
  options.stream = static_cast<uintptr_t>(of_one);
  Interpreter beside(options);
  CHECK(first_stream(beside) == of_one);

  options.stream = 0;
  Interpreter legacy(options);
  CHECK(first_stream(legacy) == 0);
}

}  // namespace gpy::test::threads
