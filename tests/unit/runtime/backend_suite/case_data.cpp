#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "plan_cases.h"
#include "runtime/core/half.h"
#include "runtime/core/scalar.h"

namespace gpy::rt::test {
namespace {

constexpr std::byte kUntouched{0xa5};

struct Extent {
  int64_t before = 0, elements = 0;
};

// The number of elements before element 0, and the number of all.
Extent extent_of(const Dims& extents, const Dims& strides) {
  int64_t low = 0, high = 0;
  for (int d = 0; d < strides.size(); ++d) {
    const int64_t reach = (std::max<int64_t>(extents[d], 1) - 1) * strides[d];
    (reach < 0 ? low : high) += reach;
  }
  return {-low, high - low + 1};
}

using Random = std::mt19937_64;

double special(Random& random) {
  static constexpr double kValues[] = {0.0,       -0.0, 1.0,   -1.0, 0.5,     2.0,  INFINITY,
                                       -INFINITY, NAN,  1e-30, 3e-5, 65504.0, 1e30, -2.5};
  return kValues[random() % std::size(kValues)];
}

double any_number(Random& random) {
  if (random() % 8 == 0) return special(random);
  const double unit = double(random() >> 11) * 0x1p-53;
  return (unit - 0.5) * std::exp2(int(random() % 12) - 4);
}

int64_t any_integer(Random& random) {
  switch (random() % 4) {
    case 0: return static_cast<int64_t>(random());
    case 1: return static_cast<int64_t>(random() % 5) - 2;
    default: return static_cast<int64_t>(random() % 200) - 100;
  }
}

double finite_number(Random& random) {
  for (;;) {
    if (const double drawn = any_number(random); std::isfinite(drawn)) return drawn;
  }
}

void draw_element(Draw draw, DType dtype, int64_t limit, Random& random, std::byte* to) {
  if (draw == Draw::kIndex) {
    const int64_t index = static_cast<int64_t>(random() % limit);
    std::memcpy(to, &index, sizeof(index));
  } else if (draw == Draw::kUnit) {
    Scalar::of(dtype, double(random() >> 11) * 0x1p-53).store(dtype, to);
  } else if (draw == Draw::kSmall) {
    Scalar::of(dtype, dtype == DType::kBool ? int64_t(random() % 2) : int64_t(random() % 7))
        .store(dtype, to);
  } else if (dtype == DType::kBool) {
    to[0] = std::byte(random() % 2 ? random() : 0);  // all but 0 are true
  } else if (is_inexact(dtype)) {
    auto number = [&] {
      return draw == Draw::kFinite ? finite_number(random) : any_number(random);
    };
    const double real = number();
    if (is_complex(dtype)) {
      Scalar::of(dtype, std::complex<double>(real, number())).store(dtype, to);
    } else {
      Scalar::of(dtype, real).store(dtype, to);
    }
  } else {
    const int64_t value = any_integer(random);
    std::memcpy(to, &value, item_size(dtype));
  }
}

void by_columns(const Dims& extents, int64_t size, std::vector<std::byte>& bytes) {
  const std::vector<std::byte> rows = bytes;
  for (int64_t r = 0; r < extents[0]; ++r) {
    for (int64_t c = 0; c < extents[1]; ++c) {
      std::memcpy(&bytes[(c * extents[0] + r) * size], &rows[(r * extents[1] + c) * size], size);
    }
  }
}

uint64_t seed_of(const std::string& name) { return std::hash<std::string>()(name); }

}  // namespace

CaseData::CaseData(const PlanCase& test) : test_(test) {
  Random random(seed_of(test.seed.empty() ? test.name : test.seed));
  auto origin = [&](size_t operand) {
    return operand < test.origins.size() ? test.origins[operand] : 0;
  };
  const Plan& plan = test.plan;
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const PlanInput& input = plan.inputs[i];
    const bool counted = input.kind == PlanInput::Kind::kIota;
    const Extent extent = counted ? Extent{0, 1} : extent_of(plan.extents, input.strides);
    // A gather reads beyond where its own strides lead.
    const int64_t elements = extent.elements + origin(i) + test.index_limit;
    const int64_t size = item_size(input.dtype);
    const Draw draw = i < test.draws.size() ? test.draws[i] : Draw::kAny;
    std::vector<std::byte> bytes(elements * size);
    // Fills from the origin on, so that the numbers do not depend on where they begin.
    for (int64_t e = origin(i); e < elements; ++e) {
      draw_element(draw, input.dtype, test.index_limit, random, bytes.data() + e * size);
    }
    if (i == 0 && test.transpose_input) by_columns(plan.extents, size, bytes);
    inputs_.push_back(std::move(bytes));
    input_origins_.push_back((extent.before + origin(i)) * size);
  }
  for (DType dtype : plan.scalars) {
    std::array<std::byte, 16> scalar{};
    Scalar::of(dtype, int64_t{3}).store(dtype, scalar.data());
    scalars_.push_back(scalar);
  }
  auto add_output = [&](const Dims& strides, DType dtype, size_t operand) {
    const Extent extent = extent_of(plan.extents, strides);
    const int64_t before = extent.before + origin(operand);
    output_bytes_.push_back((extent.elements + before + test.index_limit) * item_size(dtype));
    output_origins_.push_back(before * item_size(dtype));
  };
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    add_output(plan.outputs[i].strides, plan.outputs[i].dtype, plan.inputs.size() + i);
  }
  if (plan.reduction) {
    add_output(plan.reduction->strides, plan.reduction->dtype,
               plan.inputs.size() + plan.outputs.size());
  }
}

Outputs CaseData::run_on(Backend& backend) const {
  return run_from(backend, *backend.prepare(test_.plan, false), 0);
}

std::vector<Outputs> CaseData::run_prepared_on(Backend& backend, bool apart) const {
  const auto prepared = backend.prepare(test_.plan, apart);
  return {run_from(backend, *prepared, 0), run_from(backend, *prepared, 1)};
}

Outputs CaseData::run_from(Backend& backend, PreparedPlan& plan, int64_t shift) const {
  std::vector<Ref<Buffer>> buffers;
  Bindings bindings;
  auto upload = [&](const std::vector<std::byte>& bytes, int64_t offset) {
    buffers.push_back(backend.allocate(bytes.size() + offset));
    std::byte* first = static_cast<std::byte*>(buffers.back()->data()) + offset;
    backend.upload(first, bytes.data(), bytes.size());
    return first;
  };
  const auto shifted = [shift](DType dtype) { return shift * item_size(dtype); };
  for (size_t i = 0; i < inputs_.size(); ++i) {
    bindings.inputs.push_back(upload(inputs_[i], shifted(test_.plan.inputs[i].dtype)) +
                              input_origins_[i]);
  }
  bindings.scalars = scalars_;
  std::vector<std::byte*> starts;
  for (size_t i = 0; i < output_bytes_.size(); ++i) {
    const bool reduced = i == test_.plan.outputs.size();
    const DType dtype = reduced ? test_.plan.reduction->dtype : test_.plan.outputs[i].dtype;
    const std::vector<std::byte> untouched(output_bytes_[i], kUntouched);
    starts.push_back(upload(untouched, shifted(dtype)));
    bindings.outputs.push_back(starts.back() + output_origins_[i]);
  }
  plan.run(bindings, nullptr);
  Outputs outputs;
  for (size_t i = 0; i < starts.size(); ++i) {
    outputs.emplace_back(output_bytes_[i]);
    backend.download(outputs[i].data(), starts[i], outputs[i].size());
  }
  return outputs;
}

Outputs CaseData::run_by(const std::function<void(const Plan&, const Bindings&)>& run) const {
  // The blocks are like a device's: aligned to 512 bytes, with room to the end of the last granule.
  std::vector<std::unique_ptr<std::byte, void (*)(void*)>> blocks;
  auto place = [&](const std::vector<std::byte>& bytes) {
    const size_t room = (bytes.size() + 511) / 512 * 512;
    blocks.emplace_back(static_cast<std::byte*>(std::aligned_alloc(512, room)), std::free);
    std::memset(blocks.back().get(), 0, room);
    std::memcpy(blocks.back().get(), bytes.data(), bytes.size());
    return blocks.back().get();
  };
  Bindings bindings;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    bindings.inputs.push_back(place(inputs_[i]) + input_origins_[i]);
  }
  bindings.scalars = scalars_;
  for (size_t i = 0; i < output_bytes_.size(); ++i) {
    bindings.outputs.push_back(place(std::vector<std::byte>(output_bytes_[i], kUntouched)) +
                               output_origins_[i]);
  }
  run(test_.plan, bindings);
  Outputs outputs;
  for (size_t i = 0; i < output_bytes_.size(); ++i) {
    const std::byte* block = blocks[inputs_.size() + i].get();
    outputs.emplace_back(block, block + output_bytes_[i]);
  }
  return outputs;
}

// --- comparison ---

namespace {

template <class Float, class Bits> int64_t ordered(Float value) {
  const Bits bits = std::bit_cast<Bits>(value);
  constexpr Bits kSign = Bits(1) << (sizeof(Bits) * 8 - 1);
  return bits & kSign ? -static_cast<int64_t>(bits & ~kSign) : static_cast<int64_t>(bits);
}

// Steps between two floats; 0 for two NaNs.
template <class Float, class Bits> bool close(const std::byte* a, const std::byte* b, int ulps) {
  Float x, y;
  std::memcpy(&x, a, sizeof(x));
  std::memcpy(&y, b, sizeof(y));
  const bool x_nan = x != x, y_nan = y != y;
  if (x_nan || y_nan) return x_nan && y_nan;
  const int64_t apart = ordered<Float, Bits>(x) - ordered<Float, Bits>(y);
  return std::abs(apart) <= ulps;
}

bool close_narrow(uint16_t infinity, const std::byte* a, const std::byte* b, int ulps) {
  uint16_t x, y;
  std::memcpy(&x, a, 2);
  std::memcpy(&y, b, 2);
  const bool x_nan = (x & 0x7fff) > infinity, y_nan = (y & 0x7fff) > infinity;
  if (x_nan || y_nan) return x_nan && y_nan;
  auto order = [](uint16_t h) { return h & 0x8000 ? -int(h & 0x7fff) : int(h); };
  return std::abs(order(x) - order(y)) <= ulps;
}

double ulp_of_one(DType dtype) {
  switch (dtype.code()) {
    case TypeCode::kFloat16: return 0x1p-10;
    case TypeCode::kBFloat16: return 0x1p-7;
    case TypeCode::kFloat32:
    case TypeCode::kComplex64: return 0x1p-23;
    default: return 0x1p-52;
  }
}

bool close_to_one_s_ulp(DType dtype, const std::byte* a, const std::byte* b, int ulps) {
  const std::complex<double> x = Scalar::load(dtype, a).as_complex();
  const std::complex<double> y = Scalar::load(dtype, b).as_complex();
  return std::abs(x - y) <= ulps * ulp_of_one(dtype) * std::max(1.0, std::abs(x));
}

bool same(const PlanCase& test, DType dtype, const std::byte* a, const std::byte* b) {
  const int ulps = test.ulps;
  if (test.of_one && is_inexact(dtype) && close_to_one_s_ulp(dtype, a, b, ulps)) return true;
  switch (dtype.code()) {
    case TypeCode::kFloat16: return close_narrow(0x7c00, a, b, ulps);
    case TypeCode::kBFloat16: return close_narrow(0x7f80, a, b, ulps);
    case TypeCode::kFloat32: return close<float, uint32_t>(a, b, ulps);
    case TypeCode::kFloat64: return close<double, uint64_t>(a, b, ulps);
    case TypeCode::kComplex64:
      return close<float, uint32_t>(a, b, ulps) && close<float, uint32_t>(a + 4, b + 4, ulps);
    case TypeCode::kComplex128:
      return close<double, uint64_t>(a, b, ulps) && close<double, uint64_t>(a + 8, b + 8, ulps);
    default: return std::memcmp(a, b, item_size(dtype)) == 0;
  }
}

std::string show(DType dtype, const std::byte* at) {
  const Scalar value = Scalar::load(dtype, at);
  if (is_complex(dtype)) {
    return fmt::format("{:.17g}{:+.17g}j", value.as_complex().real(), value.as_complex().imag());
  }
  return is_inexact(dtype) ? fmt::format("{:.17g}", value.as_double())
                           : fmt::format("{}", value.as_int());
}

}  // namespace

std::string difference(const PlanCase& test, const Outputs& a, const Outputs& b) {
  const Plan& plan = test.plan;
  for (size_t o = 0; o < a.size(); ++o) {
    const DType dtype = o < plan.outputs.size() ? plan.outputs[o].dtype : plan.reduction->dtype;
    const int64_t size = item_size(dtype);
    for (size_t at = 0; at + size <= a[o].size(); at += size) {
      if (same(test, dtype, a[o].data() + at, b[o].data() + at)) continue;
      return fmt::format("{}: element {} of output {}: {} and {}", test.name, at / size, o,
                         show(dtype, a[o].data() + at), show(dtype, b[o].data() + at));
    }
  }
  return "";
}

}  // namespace gpy::rt::test
