// Functions of scripts that a host calls as C's, by their address.

#include <doctest/doctest.h>

#include <cstdint>

#include "src/embed/gpy.hpp"

using namespace gpy::host;

TEST_CASE("cfunc gives the address of a function of C") {
  Interpreter gpy;
  gpy.run(R"gpy(
from numba import carray, cfunc, types

@cfunc("float64(float64, int64)")
def powered(x, n):
    return x ** n

@cfunc(types.int32(types.CPointer(types.float32), types.int32))
def doubled(p, n):
    a = carray(p, (n // 2, 2))
    more = [a[i, j] for i in range(n // 2) for j in range(2)]
    for i in range(n // 2):
        for j in range(2):
            a[i, j] *= 2
    return len(more)

@cfunc("int64(int64)")
def inverse(x):
    return 100 // x
)gpy");
  const auto address = [&](const char* of) {
    return gpy.evaluate(std::string(of) + ".address").to_int();
  };
  const auto powered = reinterpret_cast<double (*)(double, int64_t)>(address("powered"));
  CHECK(powered(2.5, 3) == 15.625);
  CHECK(powered(2, -1) == 0.5);
  float numbers[] = {1, 2, 3, 4};
  CHECK(reinterpret_cast<int32_t (*)(float*, int32_t)>(address("doubled"))(numbers, 4) == 4);
  CHECK(numbers[3] == 8);
  const auto inverse = reinterpret_cast<int64_t (*)(int64_t)>(address("inverse"));
  CHECK(inverse(7) == 14);
  CHECK(inverse(0) == 0);  // told on the error stream
  CHECK(gpy.evaluate("powered(2.0, 2)").to_double() == 4);
}
