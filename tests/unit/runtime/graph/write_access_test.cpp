// The right to write an array's bytes, and the arrays that still need the old ones.
#include "runtime/graph/write_access.h"

#include <doctest/doctest.h>

#include <vector>

#include "runtime/graph/evaluate.h"
#include "runtime/graph/facts.h"
#include "runtime/graph/lent_memory.h"
#include "runtime/graph/loan.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/shape.h"

namespace gpy::rt {
namespace {

struct World {
  Session session{std::make_shared<Runtime>(DeviceChoice{DeviceChoice::Kind::kCpu, 0})};

  Array numbers(int64_t count, Space space = Space::host()) {
    const Array array =
        arange(session, Scalar::of(DType::kInt64, int64_t{0}), Scalar::of(DType::kInt64, count),
               Scalar::of(DType::kInt64, int64_t{1}), DType::kInt64, space);
    evaluate(session, *array.value());
    return array;
  }
  Array plus_one(const Array& array) { return ops::add(session, array, Scalar::weak(int64_t{1})); }
  int64_t first_of(const Array& array) {
    return *reinterpret_cast<const int64_t*>(HostRead(session, array).data());
  }
};

void set_first(const WriteAccess& access, int64_t number) {
  *reinterpret_cast<int64_t*>(access.data()) = number;
}

}  // namespace

TEST_CASE("memory may be written at once where nobody else wants what is there") {
  World world;
  const Array array = world.numbers(5000);
  CHECK(WriteAccess::try_memory(array));
  CHECK(WriteAccess::try_memory(flip(array, {})));  // a view is the same storage
  CHECK_FALSE(WriteAccess::try_memory(array.read_only()));
  CHECK_FALSE(WriteAccess::try_memory(array.as_scalar()));
  {
    const Array shared = to_space(world.session, array, Space::automatic());
    CHECK_FALSE(WriteAccess::try_memory(array));
    CHECK_FALSE(WriteAccess::try_memory(shared));
  }
  {
    const Array waiting = world.plus_one(array);
    CHECK_FALSE(WriteAccess::try_memory(array));
    CHECK_FALSE(WriteAccess::try_memory(waiting));
  }
  {
    const HostRead read(world.session, array);
    CHECK_FALSE(WriteAccess::try_memory(array));
  }
  CHECK(WriteAccess::try_memory(array));
}

TEST_CASE("who reads or holds the old content keeps it") {
  World world;
  const Array array = world.numbers(5000);
  const Array shared = to_space(world.session, array, Space::automatic());
  const Array waiting = world.plus_one(array);
  set_first(WriteAccess(world.session, array, kHostPlace), 7);
  CHECK(world.first_of(array) == 7);
  CHECK(world.first_of(shared) == 0);
  CHECK(world.first_of(waiting) == 1);
}

TEST_CASE("two ways to one array write the same memory") {
  World world;
  const Array array = world.numbers(5000);
  const Array shared = to_space(world.session, array, Space::automatic());
  const ReadAccess read(world.session, array, kHostPlace);
  const WriteAccess first(world.session, array, kHostPlace);
  const WriteAccess second(world.session, array, kHostPlace);
  CHECK(first.data() == second.data());
  CHECK(read.data() == first.data());
  CHECK(world.first_of(shared) == 0);
}

TEST_CASE("lent memory stays where it is, whoever wants the old content") {
  World world;
  std::vector<int64_t> memory{1, 2, 3};
  Loan loan(world.session, DType::kInt64, {3}, {8}, memory.data(), true);
  const HostRead read(world.session, loan.array());
  const Array waiting = world.plus_one(loan.array());
  {
    const LentMemory lent(world.session, loan.array(), kHostPlace, LentMemory::Use::kWrite);
    CHECK(lent.address() == memory.data());
    memory[0] = 9;
  }
  CHECK(*reinterpret_cast<const int64_t*>(read.data()) == 1);
  CHECK(world.first_of(waiting) == 2);
  CHECK(world.first_of(loan.array()) == 9);
}

TEST_CASE("a fact is about all elements of one dtype, until they are written") {
  World world;
  const Array array = world.numbers(5000);
  const auto known = [](const Array& of) { return Facts(of).range().has_value(); };
  Facts(array).remember_range({0, 4999});
  CHECK(Facts(array).range() == std::pair<int64_t, int64_t>{0, 4999});
  CHECK(known(reshape(world.session, array, Dims{50, 100})));
  CHECK_FALSE(known(view_as(world.session, array, DType::kUInt64)));
  const Array part = array.with_layout({DType::kInt64, Dims{2500}, Dims{8}, 0});
  CHECK_FALSE(known(part));
  Facts(part).remember_range({0, 1});
  CHECK(Facts(array).range()->second == 4999);
  const Array many =
      broadcast_to(part.with_layout({DType::kInt64, Dims{1}, Dims{8}, 0}), Dims{5000});
  CHECK_FALSE(known(many));

  SUBCASE("at once") { CHECK(WriteAccess::try_memory(array)); }
  SUBCASE("in place") { set_first(WriteAccess(world.session, array, kHostPlace), 10000); }
  SUBCASE("while it is lent") {
    const ReadAccess read(world.session, array, kHostPlace);
    CHECK_FALSE(known(array));
    set_first(WriteAccess(world.session, array, kHostPlace), 10000);
  }
  CHECK_FALSE(known(array));
}

TEST_CASE("nothing is known of memory that a host lent") {
  World world;
  std::vector<int64_t> memory{1, 2, 3};
  Loan loan(world.session, DType::kInt64, {3}, {8}, memory.data(), true);
  Facts(loan.array()).remember_range({1, 3});
  CHECK_FALSE(Facts(loan.array()).range());
}

}  // namespace gpy::rt
