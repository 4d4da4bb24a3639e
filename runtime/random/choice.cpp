#include "runtime/random/choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <unordered_set>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/memory/account.h"

namespace gpy::rt {
namespace {

// W. Kahan's compensated sum, as NumPy sums the weights.
double compensated_sum(std::span<const double> values) {
  double sum = 0;
  double lost = 0;
  for_each_polled(std::ssize(values), [&](int64_t i) {
    const double y = values[i] - lost;
    const double next = sum + y;
    lost = (next - sum) - y;
    sum = next;
  });
  return sum;
}

template <class Test> int64_t count_polled(std::span<const double> values, Test&& test) {
  int64_t count = 0;
  for_each_polled(std::ssize(values), [&](int64_t i) { count += test(values[i]); });
  return count;
}

void check_weights(const ChoiceRequest& request, bool legacy) {
  if (static_cast<int64_t>(request.weights.size()) != request.population) {
    fail(ErrorKind::kValue, "{} must have same size", legacy ? "'a' and 'p'" : "a and p");
  }
  const double sum = compensated_sum(request.weights);
  if (std::isnan(sum)) fail(ErrorKind::kValue, "{}robabilities contain NaN", legacy ? 'p' : 'P');
  if (count_polled(request.weights, [](double p) { return p < 0; }) > 0) {
    fail(ErrorKind::kValue, "{}robabilities are not non-negative", legacy ? 'p' : 'P');
  }
  if (!(std::fabs(sum - 1) > request.tolerance)) return;
  if (legacy) fail(ErrorKind::kValue, "probabilities do not sum to 1");
  fail(ErrorKind::kValue,
       "Probabilities do not sum to 1. See Notes section of docstring for more information.");
}

std::vector<double> cumulative(const std::vector<double>& weights) {
  std::vector<double> sums = weights;
  const int64_t count = std::ssize(sums);
  for_each_polled(count - 1, [&](int64_t i) { sums[i + 1] += sums[i]; });
  const double total = sums.back();
  for_each_polled(count, [&](int64_t i) { sums[i] /= total; });
  return sums;
}

int64_t place(const std::vector<double>& sums, double uniform) {
  return std::upper_bound(sums.begin(), sums.end(), uniform) - sums.begin();
}

// Repeatedly draws as many as are missing, keeps the first of equals, and removes their weight.
std::vector<int64_t> choose_distinct(std::vector<double> weights, int64_t count,
                                     const std::function<void(std::span<double>)>& uniforms) {
  std::vector<int64_t> chosen;
  std::unordered_set<int64_t> seen;
  while (static_cast<int64_t>(chosen.size()) < count) {
    const Charge scratch((count - chosen.size()) * sizeof(double) +
                         2 * weights.size() * sizeof(double));
    std::vector<double> draws(count - chosen.size());
    uniforms(draws);
    for_each_polled(std::ssize(chosen), [&](int64_t i) { weights[chosen[i]] = 0; });
    const std::vector<double> sums = cumulative(weights);
    for_each_polled(static_cast<int64_t>(draws.size()), [&](int64_t i) {
      const int64_t index = place(sums, draws[i]);
      if (seen.insert(index).second) chosen.push_back(index);
    });
  }
  return chosen;
}

}  // namespace

void check_choice(const ChoiceRequest& request, RandomApi api) {
  const bool legacy = api == RandomApi::kLegacy;
  if (request.population <= 0 && request.count != 0) {
    fail(ErrorKind::kValue, "a must be {} unless no samples are taken",
         legacy ? "greater than 0" : "a positive integer");
  }
  if (request.has_weights) check_weights(request, legacy);
  if (request.count < 0) fail(ErrorKind::kValue, "negative dimensions are not allowed");
  if (!request.replace && request.count > request.population) {
    fail(ErrorKind::kValue, "Cannot take a larger sample than population when {}",
         legacy ? "'replace=False'" : "replace is False");
  }
  if (request.replace || !request.has_weights) return;
  const int64_t positive = count_polled(request.weights, [](double p) { return p > 0; });
  if (positive < request.count) fail(ErrorKind::kValue, "Fewer non-zero entries in p than size");
}

std::vector<int64_t> choose_weighted(const ChoiceRequest& request,
                                     const std::function<void(std::span<double>)>& uniforms) {
  std::vector<double> weights(request.weights.begin(), request.weights.end());
  if (!request.replace) return choose_distinct(std::move(weights), request.count, uniforms);
  const Charge scratch(request.count * (sizeof(double) + sizeof(int64_t)));
  std::vector<double> draws(request.count);
  uniforms(draws);
  std::vector<int64_t> chosen(request.count);
  if (draws.empty()) return chosen;
  const std::vector<double> sums = cumulative(weights);
  for_each_polled(request.count, [&](int64_t i) { chosen[i] = place(sums, draws[i]); });
  return chosen;
}

}  // namespace gpy::rt
