#include "runtime/random/log_factorial.h"

#include <array>
#include <cmath>

namespace gpy::rt {
namespace {

constexpr int kTabled = 126;

std::array<double, kTabled> make_table() {
  std::array<double, kTabled> table;
  long double sum = 0;
  for (int k = 0; k < kTabled; ++k) {
    if (k > 1) sum += std::log(static_cast<long double>(k));
    table[k] = static_cast<double>(sum);
  }
  return table;
}

}  // namespace

double log_factorial(int64_t k) {
  static const std::array<double, kTabled> kTable = make_table();
  if (k < kTabled) return kTable[k];
  // Stirling's series.
  constexpr double kHalfLogTwoPi = 0.9189385332046728;
  const auto x = static_cast<double>(k);
  return (x + 0.5) * std::log(x) - x +
         (kHalfLogTwoPi + (1.0 / x) * (1 / 12.0 - 1 / (360.0 * x * x)));
}

}  // namespace gpy::rt
