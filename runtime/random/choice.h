#pragma once

// The common part of both generators' choice() after the uniform draws: weights and their checks.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gpy::rt {

// The API whose wording errors have: numpy.random.Generator's or RandomState's.
enum class RandomApi : uint8_t { kGenerator, kLegacy };

// The largest distance of the weights' sum from one: the square root of the float64 epsilon, or of
// the epsilon of the weights' own float type if that is larger.
inline constexpr double kChoiceTolerance = 1.4901161193847656e-08;

struct ChoiceRequest {
  int64_t population;
  int64_t count;
  bool replace = true;
  std::span<const double> weights = {};  // none: all alike
  bool has_weights = false;
  double tolerance = kChoiceTolerance;
  bool shuffle = true;  // Generator only: without replacement, is the order random too?
};

// Throws kValue as NumPy does.
void check_choice(const ChoiceRequest& request, RandomApi api);

// `uniforms` fills a span with draws from [0, 1).
std::vector<int64_t> choose_weighted(const ChoiceRequest& request,
                                     const std::function<void(std::span<double>)>& uniforms);

}  // namespace gpy::rt
