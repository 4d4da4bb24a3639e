// The access of generated kernels to their operands.

#include "runtime/cuda/text/schedule.h"

#include <doctest/doctest.h>

#include "../backend_suite/plan_maker.h"

namespace gpy::rt {
namespace {

using cuda::Access;

// The access of a sum's only input, whose element 0 is at `address`.
Access access_of(const Plan& plan, uintptr_t address) {
  Bindings bindings;
  bindings.inputs.push_back(reinterpret_cast<const void*>(address));
  bindings.outputs.resize(plan.outputs.size() + 1);
  cuda::Schedule schedule;
  cuda::make_schedule(plan, bindings, schedule);
  REQUIRE(schedule.vectors);
  return schedule.inputs[0];
}

Plan map_of(const Dims& extents, DType dtype, const Dims& strides) {
  test::PlanMaker maker(extents);
  maker.output(maker.op("negative", {maker.input(dtype, strides)}));
  return maker.finish();
}

Plan row_sums(int64_t rows, int64_t length, DType dtype, int64_t row_stride) {
  test::PlanMaker maker(Dims{rows, length});
  maker.reduce("add", maker.input(dtype, Dims{row_stride, 1}), 1, length);
  return maker.finish();
}

}  // namespace

// A wide load at an unaligned address would read bytes outside of the array.
TEST_CASE("neighbours are loaded at once only where every vector of them is aligned") {
  const Plan flat = map_of(Dims{1000}, DType::kFloat32, Dims{1});
  CHECK(access_of(flat, 0x1000) == Access::kVector);
  CHECK(access_of(flat, 0x1010) == Access::kVector);
  for (uintptr_t beside : {4, 8, 12}) CHECK(access_of(flat, 0x1000 + beside) == Access::kStrided);

  const Plan bytes = map_of(Dims{1000}, DType::kInt8, Dims{1});
  CHECK(access_of(bytes, 0x1001) == Access::kStrided);
  const Plan rows = map_of(Dims{10, 8}, DType::kFloat64, Dims{9, 1});
  CHECK(access_of(rows, 0x1000) == Access::kStrided);
  CHECK(access_of(map_of(Dims{10, 8}, DType::kFloat64, Dims{10, 1}), 0x1000) == Access::kVector);
}

TEST_CASE("rows that a reduction walks are no exception") {
  CHECK(access_of(row_sums(2, 5, DType::kFloat32, 5), 0x1000) == Access::kStrided);
  CHECK(access_of(row_sums(2, 8, DType::kFloat32, 8), 0x1000) == Access::kVector);
  CHECK(access_of(row_sums(600, 1001, DType::kFloat64, 1001), 0x1000) == Access::kStrided);
  CHECK(access_of(row_sums(600, 1001, DType::kFloat64, 1002), 0x1000) == Access::kVector);
}

}  // namespace gpy::rt
