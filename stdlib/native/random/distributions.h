#pragma once
// The rows of distributions.def as natives of Generator and of RandomState.

#include <functional>
#include <optional>
#include <string_view>

#include "runtime/random/distribution.h"
#include "runtime/random/choice.h"
#include "stdlib/native/random/support.h"

namespace gpy::lib {

// What a parameter must be.
enum class Constraint : uint8_t {
  kAny,
  kNonNegative,
  kNonNegativeInt,
  kPositive,
  kPositiveNotNan,
  kChance,
  kPositiveChance,
  kChanceBelowOne,
  kAboveOne,
  kRate,
};

struct DrawnParameters;

struct DistributionRow {
  rt::Distribution id;
  bool gives_ints;
  std::span<const Constraint> constraints;  // one a parameter
  // A condition on several parameters.
  void (*check)(Interpreter& vm, const DrawnParameters& parameters, rt::RandomApi api);
};

const DistributionRow& row_of(rt::Distribution distribution);

// Of the draws each one's parameters, float64s or int64s: broadcast arrays, or numbers for all.
struct DrawnParameters {
  std::vector<rt::Array> arrays;
  std::array<double, 3> reals = {};
  std::array<int64_t, 3> integers = {};
  int count = 0;
  std::optional<rt::Dims> shape;  // of the result; a single draw has none
  bool single = true;
};

// Checks the parameters, which are `args` from the second on, with the size after them.
DrawnParameters read_parameters(Interpreter& vm, const DistributionRow& row, const Args& args,
                                rt::RandomApi api);

// Draws with parameters into `out`, so many.
using DrawInto = std::function<void(const rt::Parameters& parameters, void* out, int64_t count)>;
Value draw_with(Interpreter& vm, const DistributionRow& row, const DrawnParameters& parameters,
                const DrawInto& draw);

// The shape of draws with these parameters: ValueError if `size` is not theirs.
rt::Dims broadcast_size(Interpreter& vm, const std::vector<rt::Array>& arrays,
                        const std::optional<rt::Dims>& size);

// A parameter as float64s on the host, in C order.
rt::Array real_array(Interpreter& vm, const Value& value);
void check_constraint(Interpreter& vm, const Value& value, const rt::Array& array,
                      std::string_view name, Constraint constraint);

}  // namespace gpy::lib
