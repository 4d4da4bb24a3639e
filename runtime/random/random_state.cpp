#include "runtime/random/random_state.h"

#include <cmath>

#include "runtime/core/error.h"
#include "runtime/memory/account.h"
#include "runtime/random/fill_integers.h"

namespace gpy::rt {
namespace {

template <class Draw> void fill(std::span<double> out, const Draw& draw) {
  for_each_polled(static_cast<int64_t>(out.size()), [&](int64_t i) { out[i] = draw(); });
}

void check_scale(double scale) {
  if (std::signbit(scale) && !std::isnan(scale)) fail(ErrorKind::kValue, "scale < 0");
}

}  // namespace

void RandomState::random_sample(std::span<double> out) {
  fill(out, [&] { return bits_.next_double(); });
}

void RandomState::uniform(double low, double high, std::span<double> out) {
  const double range = high - low;
  if (!std::isfinite(range)) fail(ErrorKind::kOverflow, "Range exceeds valid bounds");
  fill(out, [&] { return low + range * bits_.next_double(); });
}

// G. Marsaglia's polar method makes two at a time.
double RandomState::next_normal() {
  if (spare_normal_) return *std::exchange(spare_normal_, std::nullopt);
  double x;
  double y;
  double square;
  do {
    x = 2.0 * bits_.next_double() - 1.0;
    y = 2.0 * bits_.next_double() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  spare_normal_ = factor * x;
  return factor * y;
}

void RandomState::standard_normal(std::span<double> out) {
  fill(out, [&] { return next_normal(); });
}

void RandomState::normal(double loc, double scale, std::span<double> out) {
  check_scale(scale);
  fill(out, [&] { return loc + scale * next_normal(); });
}

void RandomState::standard_exponential(std::span<double> out) {
  fill(out, [&] { return -std::log(1.0 - bits_.next_double()); });
}

void RandomState::exponential(double scale, std::span<double> out) {
  check_scale(scale);
  standard_exponential(out);
  for_each_polled(static_cast<int64_t>(out.size()), [&](int64_t i) { out[i] *= scale; });
}

void RandomState::randint(DType dtype, Int128 low, Int128 high, void* out, int64_t count) {
  const IntegerRange range = make_integer_range(dtype, low, high, false, "randint");
  fill_integers<Bounding::kMasked>(
      bits_, dtype, [&](int64_t) -> const IntegerRange& { return range; }, out, count);
}

void RandomState::randint(DType dtype, std::span<const IntegerRange> ranges, void* out,
                          int64_t count) {
  fill_integers<Bounding::kMasked>(bits_, dtype, RangeOfEach(ranges), out, count);
}

std::vector<int64_t> RandomState::permutation(int64_t n) {
  const Charge scratch(std::max<int64_t>(n, 0) * sizeof(int64_t));
  std::vector<int64_t> items = count_to(n);
  shuffle(n, [&](int64_t i, int64_t j) { std::swap(items[i], items[j]); });
  return items;
}

std::vector<int64_t> RandomState::choose_with_replacement(const ChoiceRequest& request) {
  const Charge scratch(request.count * sizeof(int64_t));
  std::vector<int64_t> chosen(request.count);
  if (chosen.empty()) return chosen;
  randint(DType::kInt64, 0, request.population, chosen.data(), request.count);
  return chosen;
}

std::vector<int64_t> RandomState::choice(const ChoiceRequest& request) {
  check_choice(request, RandomApi::kLegacy);
  if (request.has_weights) {
    return choose_weighted(request, [this](std::span<double> out) { random_sample(out); });
  }
  if (request.replace) return choose_with_replacement(request);
  // The whole population is permuted, also for a sample of none.
  std::vector<int64_t> chosen = permutation(request.population);
  chosen.resize(request.count);
  return chosen;
}

}  // namespace gpy::rt
