// Reductions and scans against NumPy's bits, stored by tests/make/reduction_table.py.

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "plans.h"

namespace gpy::rt {
namespace {

const char kTable[] =
#include "reductions.inc"
    ;

uint64_t bits(uint64_t index) {
  uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The table's input values, cast by the backend itself.
std::vector<std::byte> values(DType dtype, int64_t count) {
  const bool floats = is_inexact(dtype);
  const int64_t parts = is_complex(dtype) ? 2 : 1;
  const DType part = real_type(dtype);
  std::vector<double> reals(floats ? count * parts : 0);
  std::vector<uint64_t> integers(floats ? 0 : count);
  for (size_t i = 0; i < reals.size(); ++i) reals[i] = double(bits(i) >> 11) * 0x1p-53 - 0.5;
  for (size_t i = 0; i < integers.size(); ++i) {
    integers[i] = dtype == DType::kBool ? bits(i) % 50 == 0 : bits(i);
  }
  std::vector<std::byte> result(count * item_size(dtype));
  const void* in[] = {floats ? static_cast<void*>(reals.data()) : integers.data()};
  cast_loop(floats ? DType::kFloat64 : DType::kUInt64, part)(in, result.data(), count * parts);
  return result;
}

std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> result;
  std::stringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) result.push_back(std::stoll(item));
  return result;
}

uint64_t fnv(const std::vector<std::byte>& bytes) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (std::byte b : bytes) hash = (hash ^ static_cast<uint8_t>(b)) * 0x100000001B3u;
  return hash;
}

struct Case {
  bool scan;
  std::string name;
  DType dtype;
  std::vector<int64_t> shape, axes;
  uint64_t hash;
  // Whether the input's dimensions are reversed in memory, instead of in C order.
  bool reversed = false;
  // Whether an operation comes before the reduction.
  bool produced = false;
};

Plan plan_for(const Case& test) {
  const Reduction& reduction = *std::ranges::find(reductions(), test.name, &Reduction::name);
  Plan plan;
  PlanReduction r;
  r.reduction = reduction.id;
  while (reduction.loops[r.loop].in != test.dtype) ++r.loop;
  r.dtype = reduction.loops[r.loop].out;
  r.scan = test.scan;
  const int rank = static_cast<int>(test.shape.size());
  auto reduced = [&](int axis) { return std::ranges::count(test.axes, axis) > 0; };
  std::vector<int64_t> strides(rank, 1);
  if (test.reversed) {
    for (int i = 1; i < rank; ++i) strides[i] = strides[i - 1] * test.shape[i - 1];
  } else {
    for (int i = rank - 2; i >= 0; --i) strides[i] = strides[i + 1] * test.shape[i + 1];
  }
  std::vector<int> order;
  for (int i = 0; i < rank; ++i)
    if (!reduced(i)) order.push_back(i);
  r.kept = static_cast<int>(order.size());
  for (int i = 0; i < rank; ++i)
    if (reduced(i)) order.push_back(i);
  for (int i = rank - 1; i >= 0 && reduced(i); --i) r.run *= test.shape[i];
  PlanInput input{PlanInput::Kind::kBuffer, test.dtype, {}};
  for (int axis : order) {
    plan.extents.push_back(test.shape[axis]);
    input.strides.push_back(strides[axis]);
  }
  std::vector<int64_t> out_strides(rank, 1);
  for (int i = rank - 2; i >= 0; --i) {
    out_strides[i] = out_strides[i + 1] * (!test.scan && reduced(i + 1) ? 1 : test.shape[i + 1]);
  }
  for (int axis : order) {
    if (test.scan || !reduced(axis)) r.strides.push_back(out_strides[axis]);
  }
  plan.inputs = {input};
  if (test.produced) {
    plan.ops = {test::op("positive", {0}, {test.dtype})};
    r.value = 1;
  }
  plan.reduction = r;
  return plan;
}

// The same array with its dimensions reversed in memory.
std::vector<std::byte> reverse_dimensions(const std::vector<std::byte>& data, const Case& test) {
  std::vector<std::byte> result(data.size());
  const int64_t size = item_size(test.dtype), count = static_cast<int64_t>(data.size()) / size;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, to = 0;
    for (int axis = static_cast<int>(test.shape.size()) - 1; axis >= 0; --axis) {
      int64_t step = 1;
      for (int before = 0; before < axis; ++before) step *= test.shape[before];
      to += rest % test.shape[axis] * step;
      rest /= test.shape[axis];
    }
    std::memcpy(&result[to * size], &data[i * size], size);
  }
  return result;
}

uint64_t run(const Case& test, const std::vector<std::byte>& input) {
  const Plan plan = plan_for(test);
  int64_t results = item_size(plan.reduction->dtype);
  for (size_t axis = 0; axis < test.shape.size(); ++axis) {
    if (test.scan || std::ranges::count(test.axes, int64_t(axis)) == 0) results *= test.shape[axis];
  }
  std::vector<std::byte> out(results);
  test::run(plan, {{input.data()}, {}, {out.data()}}, nullptr);
  return fnv(out);
}

void check(Case test) {
  int64_t count = 1;
  for (int64_t extent : test.shape) count *= extent;
  const std::vector<std::byte> data = values(test.dtype, count);
  INFO(test.name, " ", name(test.dtype), " ", test.shape[0], " axes ", test.axes[0]);
  CHECK(run(test, data) == test.hash);
  test.produced = test.dtype != DType::kBool;
  CHECK(run(test, data) == test.hash);
  if (test.shape.size() == 1 || count > 100000) return;
  test.reversed = true;
  CHECK(run(test, reverse_dimensions(data, test)) == test.hash);
}

TEST_CASE("reductions and scans have NumPy's bits, whatever the layout and the producers") {
  std::istringstream table(kTable);
  int checked = 0;
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string kind, name, dtype, shape, axes;
    Case test;
    words >> kind >> name >> dtype >> shape >> axes >> std::hex >> test.hash;
    test.scan = kind == "scan";
    test.name = name;
    test.dtype = *dtype_from_name(dtype);
    test.shape = numbers(shape);
    test.axes = numbers(axes);
    check(test);
    ++checked;
  }
  CHECK(checked > 1000);
}

}  // namespace
}  // namespace gpy::rt
