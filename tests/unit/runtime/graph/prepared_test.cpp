// The expressions that share a plan, while each run has its own arrays, numbers and places.
#include "runtime/graph/prepared.h"

#include <doctest/doctest.h>

#include <vector>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {
namespace {

using Key = std::vector<int64_t>;

struct World {
  Session session{std::make_shared<Runtime>(DeviceChoice{DeviceChoice::Kind::kCpu, 0})};

  Array ready(const Dims& shape, double number, DType dtype = DType::kFloat64) {
    const Array array = full(session, shape, Scalar::weak(number), dtype, Space::automatic());
    evaluate(session, *array.value());
    return array;
  }
  template <class Row> Array op(const Row& row, const Operand& a, const Operand& b) {
    return row(session, a, b);
  }
  Key key(const Array& array) {
    Expression expression;
    expression.read(*array.value()->node());
    return Key(expression.key().begin(), expression.key().end());
  }
  double first(const Array& array) {
    return Scalar::load(array.dtype(), HostRead(session, array).data()).as_double();
  }
};

}  // namespace

TEST_CASE("what a plan depends on is its key") {
  World world;
  const Array x = world.ready({4, 5}, 1), y = world.ready({4, 5}, 2), z = world.ready({4, 5}, 3);
  const Key sum = world.key(world.op(ops::add, x, y));
  CHECK(sum == world.key(world.op(ops::add, z, x)));
  CHECK(sum != world.key(world.op(ops::add, x, x)));  // one input
  CHECK(sum != world.key(world.op(ops::subtract, x, y)));
  CHECK(sum != world.key(world.op(ops::add, x, Scalar::weak(1.0))));
  CHECK(sum != world.key(world.op(ops::add, x, swap_axes(world.ready({5, 4}, 1), 0, 1))));
  CHECK(sum != world.key(world.op(ops::add, x, broadcast_to(world.ready({5}, 1), Dims{4, 5}))));
  CHECK(sum != world.key(world.op(ops::add, world.ready({5, 4}, 1), world.ready({5, 4}, 1))));
  CHECK(sum != world.key(world.op(ops::add, x, world.ready({4, 5}, 1, DType::kFloat32))));
  CHECK(world.key(world.op(ops::add, x, Scalar::weak(1.0))) ==
        world.key(world.op(ops::add, y, Scalar::weak(7.0))));
}

TEST_CASE("who else wants an inner value is part of the key") {
  World world;
  const Array x = world.ready({100}, 1);
  const auto chain = [&] { return world.op(ops::multiply, world.op(ops::add, x, x), x); };
  const Key alone = world.key(chain());
  const Array inner = world.op(ops::add, x, x);
  CHECK(world.key(world.op(ops::multiply, inner, x)) != alone);
  CHECK(world.key(world.op(ops::multiply, inner, inner)) !=
        world.key(world.op(ops::multiply, inner, x)));
  CHECK(world.key(chain()) == alone);
}

TEST_CASE("the axes of a reduction are part of the key") {
  World world;
  const Array x = world.ready({4, 4}, 1);
  const auto sum = [&](std::vector<int64_t> axes) {
    ReduceOptions options;
    options.axes = std::move(axes);
    return reduce(world.session, Fold::add, x, options);
  };
  CHECK(world.key(sum({0})) == world.key(sum({0})));
  CHECK(world.key(sum({0})) != world.key(sum({1})));
  CHECK(world.key(sum({0})) != world.key(sum({0, 1})));
}

TEST_CASE("each run of a plan has its own arrays and numbers, and as many expressions as come") {
  World world;
  for (int turn = 0; turn < 3; ++turn) {
    for (int64_t extent = 1; extent < 700; ++extent) {
      const Array x = world.ready({extent}, turn), y = world.ready({extent}, 10);
      const Array inner = world.op(ops::add, x, Scalar::weak(static_cast<double>(extent)));
      const Array outer = world.op(ops::multiply, inner, y);
      REQUIRE(world.first(outer) == 10 * (turn + extent));
      REQUIRE(world.first(inner) == turn + extent);
    }
  }
}

TEST_CASE("an input that two views share is not taken for another array of the same shape") {
  World world;
  const Array x = world.ready({2}, 1), one = world.ready({1}, 5);
  const Array first = x.with_layout({DType::kFloat64, Dims{1}, Dims{8}, 0});
  CHECK(world.first(world.op(ops::add, x, broadcast_to(first, Dims{2}))) == 2);
  CHECK(world.first(world.op(ops::add, x, broadcast_to(one, Dims{2}))) == 6);
}

TEST_CASE("runs inside one another have a room each") {
  PreparedCache cache;
  const PreparedCache::Lease outer(cache);
  outer->bindings.inputs.push_back(nullptr);
  {
    const PreparedCache::Lease inner(cache);
    CHECK(inner->bindings.inputs.empty());
  }
  CHECK(outer->bindings.inputs.size() == 1);
}

}  // namespace gpy::rt
