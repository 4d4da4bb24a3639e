// What kernels and compiled functions compute does not depend on the number of threads: not a bit
// of it, and not which element an error names.

#include <doctest/doctest.h>

#include <string>

#include "tests/cli/process.h"

namespace gpy::test {
namespace {

Result run_with_threads(const std::string& program, const std::string& threads) {
  TemporaryFolder folder;
  folder.write("script.gpy", program);
  return run_gpy({"script.gpy"},
                 {.environment = {{"GPY_DEVICE", "cpu"}, {"GPY_NUM_THREADS", threads}},
                  .folder = folder.path()});
}

constexpr const char* kValues = R"PY(import math
import cupy as cp
import numpy as np
from numba import njit, prange, vectorize

@vectorize(["float64(float64)"], target="parallel")
def smooth(x):
    total = 0.0
    for k in range(int(x * 40)):
        total += math.sin(x * k) / (k + 1)
    return total

@njit(parallel=True)
def counted(x):
    most = 0
    odd = 0
    for i in prange(len(x)):
        odd += x[i] % 2
        most = max(most, x[i])
    return odd, most

wave = cp.ElementwiseKernel("T x", "T y", "y = sin(x) + exp(-x) * pow(x, 0.3)", "wave")
total = cp.ReductionKernel("T x", "T y", "sqrt(x)", "a + b", "y = a", "0", "total")
for n in [100, 5001, 300017]:
    x = np.arange(n) * 7919 % 10007 / 10007
    y = cp.asarray(x)
    print(smooth(x).tobytes().hex(), cp.asnumpy(wave(y)).tobytes().hex())
    print(float(total(y)).hex(), float(y.sum()).hex(), counted(np.arange(n) * 7919 % 10007))
)PY";

constexpr const char* kFails = R"PY(import cupy as cp
ratio = cp.ElementwiseKernel("int64 x, int64 y", "int64 z", "z = x / y", "ratio")
for at, n in [(77, 1000), (123456, 200000), (300000, 600000)]:
    x = cp.arange(n)
    try:
        ratio(x, x - at)
    except RuntimeError as error:
        print(error)
    print(ratio(x, x + 1).sum(), ratio(x * 6, x + 1)[at])
)PY";

}  // namespace

TEST_CASE("the number of threads changes no bit of a value") {
  const Result one = run_with_threads(kValues, "1");
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  for (const char* threads : {"2", "3"}) CHECK(run_with_threads(kValues, threads).out == one.out);
}

TEST_CASE("an error in one range of elements names its element with any number of threads") {
  const Result one = run_with_threads(kFails, "1");
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  for (const char* element : {"element 77)", "element 123456)", "element 300000)"}) {
    CAPTURE(one.out);
    CHECK(one.out.find(element) != std::string::npos);
  }
  for (const char* threads : {"2", "3"}) CHECK(run_with_threads(kFails, threads).out == one.out);
}

}  // namespace gpy::test
