#include <doctest/doctest.h>

#include <cfenv>
#include <limits>
#include <numeric>

#include "plans.h"
#include "runtime/core/error.h"

namespace gpy::rt {
namespace {

using test::run;

constexpr DType f64 = DType::kFloat64;

std::vector<double> counting(int64_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

TEST_CASE("a chain of operations runs over any number of elements") {
  for (int64_t n : {0, 1, 7, 1023, 1024, 1025, 5000, 300000}) {
    const auto x = counting(n), y = counting(n);
    std::vector<double> out(n + 1, -1);
    Plan plan;
    plan.extents = {n};
    plan.inputs = {test::input(f64, {1}), test::input(f64, {1})};
    plan.scalars = {f64};
    plan.ops = {test::op("add", {0, 1}, {f64, f64}), test::op("multiply", {3, 2}, {f64, f64}),
                test::op("subtract", {4, 3}, {f64, f64})};
    plan.outputs = {{5, f64, {1}}};
    run(plan, {{x.data(), y.data()}, {test::scalar(0.5)}, {out.data()}}, nullptr);
    for (int64_t i = 0; i < n; ++i) REQUIRE(out[i] == -double(i));
    CHECK(out[n] == -1);
  }
}

TEST_CASE("strided, broadcast and periodic inputs and strided outputs") {
  for (auto [rows, columns] : {std::pair<int64_t, int64_t>{3, 5}, {700, 3}, {4, 600}, {5, 2500}}) {
    const auto x = counting(rows * columns), row = counting(columns), column = counting(rows);
    std::vector<double> out(2 * rows * columns, -1);
    Plan plan;
    plan.extents = {rows, columns};
    // x transposed, a row, a column; every second element of the output
    plan.inputs = {test::input(f64, {1, rows}), test::input(f64, {0, 1}), test::input(f64, {1, 0})};
    plan.ops = {test::op("add", {0, 1}, {f64, f64}), test::op("multiply", {3, 2}, {f64, f64})};
    plan.outputs = {{4, f64, {2 * columns, 2}}, {3, f64, {columns * 2, 2}}};
    std::vector<double> sums(2 * rows * columns);
    run(plan, {{x.data(), row.data(), column.data()}, {}, {out.data(), sums.data()}}, nullptr);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        const double sum = x[c * rows + r] + row[c];
        REQUIRE(sums[2 * (r * columns + c)] == sum);
        REQUIRE(out[2 * (r * columns + c)] == sum * column[r]);
        REQUIRE(out[2 * (r * columns + c) + 1] == -1);
      }
    }
  }
}

TEST_CASE("an output in an input's memory, read again after it is written") {
  auto x = counting(3000);
  std::vector<double> other(3000);
  Plan plan;
  plan.extents = {3000};
  plan.inputs = {test::input(f64, {1})};
  plan.ops = {test::op("square", {0}, {f64}), test::op("negative", {0}, {f64})};
  plan.outputs = {{1, f64, {1}}, {2, f64, {1}}};
  run(plan, {{x.data()}, {}, {x.data(), other.data()}}, nullptr);
  for (int i = 0; i < 3000; ++i) {
    REQUIRE(x[i] == double(i) * i);
    REQUIRE(other[i] == -double(i));
  }
}

TEST_CASE("gathers, counting and ordered scatters") {
  const auto x = counting(100);
  Plan plan;
  plan.extents = {3000};
  plan.inputs = {{PlanInput::Kind::kGather, f64, {0}},
                 {PlanInput::Kind::kIota, DType::kInt64, {7}}};
  plan.scalars = {DType::kInt64};
  PlanOp modulo = test::op("remainder", {1, 2}, {DType::kInt64, DType::kInt64});
  PlanOp gather;
  gather.kind = PlanOp::Kind::kGather;
  gather.dtype = f64;
  gather.args[0] = 3;
  plan.ops = {modulo, gather};
  std::vector<double> out(3000);
  std::vector<int64_t> last(100, -1);
  plan.outputs = {{4, f64, {1}}, {1, DType::kInt64, {0}, 3}};
  run(plan, {{x.data(), nullptr}, {test::scalar(int64_t{100})}, {out.data(), last.data()}},
      nullptr);
  for (int64_t i = 0; i < 3000; ++i) REQUIRE(out[i] == double(i * 7 % 100));
  for (int64_t i = 2900; i < 3000; ++i) REQUIRE(last[i * 7 % 100] == i * 7);
}

TEST_CASE("the report names the op that raised a flag, and only that") {
  std::vector<double> x(100000, 1.0), out(100000);
  Plan plan;
  plan.extents = {100000};
  plan.inputs = {test::input(f64, {1})};
  plan.ops = {test::op("subtract", {0, 0}, {f64, f64}), test::op("divide", {0, 1}, {f64, f64}),
              test::op("less", {2, 0}, {f64, f64})};
  plan.outputs = {{2, f64, {1}}};
  RunReport report;
  run(plan, {{x.data()}, {}, {out.data()}}, &report);
  CHECK(report.flags == std::vector<int>{0, FE_DIVBYZERO, 0});
  x[54321] = std::numeric_limits<double>::infinity();
  plan.ops[2] = test::op("less", {1, 0}, {f64, f64});
  run(plan, {{x.data()}, {}, {out.data()}}, &report);
  CHECK(report.flags == std::vector<int>{FE_INVALID, FE_DIVBYZERO, 0});
}

TEST_CASE("a set flag interrupts a long run") {
  std::vector<double> x(1000000, 1.0), out(1000000);
  Plan plan;
  plan.extents = {1000000};
  plan.inputs = {test::input(f64, {1})};
  plan.ops = {test::op("square", {0}, {f64})};
  plan.outputs = {{1, f64, {1}}};
  std::atomic<bool> flag{true};
  InterruptScope scope(&flag);
  CHECK_THROWS_AS(run(plan, {{x.data()}, {}, {out.data()}}, nullptr), Error);
}

}  // namespace
}  // namespace gpy::rt
