// Addresses of the matrices of a stack, written by a plan: here on the CPU.

#include <doctest/doctest.h>

#if GPY_HAVE_CUDA
#include <vector>

#include "../cpu/plans.h"
#include "runtime/cuda/matrix_addresses.h"

namespace gpy::rt::cuda {
namespace {

using test::backend;

const void* const* written(const Ref<Buffer>& buffer) {
  return static_cast<const void* const*>(buffer->data());
}

TEST_CASE("each matrix's address is a step behind the one before") {
  MatrixAddresses addresses(backend());
  const std::vector<double> stack(5 * 9);
  const Ref<Buffer> five = addresses.of(stack.data(), 9 * sizeof(double), 5);
  for (int i = 0; i < 5; ++i) CHECK(written(five)[i] == stack.data() + i * 9);
}

TEST_CASE("the last addresses are kept, each for its own place, step and count") {
  MatrixAddresses addresses(backend());
  const std::vector<double> stack(100);
  const Ref<Buffer> first = addresses.of(stack.data(), 32, 10);
  CHECK(addresses.of(stack.data(), 32, 10).get() == first.get());
  CHECK(addresses.of(stack.data() + 1, 32, 10).get() != first.get());
  CHECK(addresses.of(stack.data(), 64, 10).get() != first.get());
  CHECK(addresses.of(stack.data(), 32, 9).get() != first.get());
  CHECK(addresses.of(stack.data(), 32, 10).get() == first.get());
  for (int i = 1; i <= 8; ++i) addresses.of(stack.data() + 10 + i, 32, 10);
  const Ref<Buffer> again = addresses.of(stack.data(), 32, 10);
  CHECK(again.get() != first.get());
  CHECK(written(again)[9] == written(first)[9]);
}

TEST_CASE("addresses of very many matrices are not kept") {
  MatrixAddresses addresses(backend());
  constexpr int64_t count = 100000;
  const std::vector<char> stack(count);
  const Ref<Buffer> first = addresses.of(stack.data(), 1, count);
  CHECK(written(first)[count - 1] == stack.data() + count - 1);
  CHECK(addresses.of(stack.data(), 1, count).get() != first.get());
}

}  // namespace
}  // namespace gpy::rt::cuda
#endif
