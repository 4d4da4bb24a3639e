// Sums without rounding on the way, and norms with corrected rounding.
#include <cmath>
#include <vector>

#include "src/memory/pieces.h"
#include "stdlib/native/math_parts.h"

namespace gpy::lib {

// Shewchuk's algorithm: the partials do not overlap, and their sum is exact.
static void add_exactly(std::vector<double>& partials, double x) {
  size_t kept = 0;
  for (double y : partials) {
    if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
    double high = x + y;
    double low = y - (high - x);
    if (low != 0) partials[kept++] = low;
    x = high;
  }
  partials.resize(kept);
  partials.push_back(x);
}

// The partials as one double, rounded half to even.
static double round_partials(const std::vector<double>& partials) {
  if (partials.empty()) return 0;
  size_t n = partials.size() - 1;
  double high = partials[n], low = 0;
  while (n > 0) {
    double x = high, y = partials[--n];
    high = x + y;
    low = y - (high - x);
    if (low != 0) break;
  }
  if (n > 0 && low != 0 && (low < 0) == (partials[n - 1] < 0)) {
    double twice = low * 2, x = high + twice;
    if (twice == x - high) high = x;
  }
  return high;
}

Value math_fsum(Interpreter& vm, const Value& numbers) {
  std::vector<double> partials;
  double special = 0, infinities = 0;
  bool is_special = false;
  vm.for_each(numbers, [&](const Value& item) {
    double x = vm.to_real(item);
    if (x == 0) return;  // a zero of either sign: the sum of zeros alone is 0.0
    if (std::isfinite(x)) {
      add_exactly(partials, x);
      if (std::isinf(partials.back())) vm.raise_overflow_error("intermediate overflow in fsum");
      return;
    }
    is_special = true;
    special += x;
    if (std::isinf(x)) infinities += x;
  });
  if (std::isnan(infinities)) vm.raise_value_error("-inf + inf in fsum");
  return Value::real(is_special ? special : round_partials(partials));
}

// The root of high + low, with a correction for the rounding of sqrt.
static double corrected_root(double high, double low) {
  const double root = std::sqrt(high + low);
  const double square = root * root;
  const double rest = (high - square) - std::fma(root, root, -square) + low;
  return root + rest / (2 * root);
}

// The parts are scaled so that no square overflows, and squares are added as pairs of doubles.
static double norm(Interpreter& vm, const std::vector<double>& parts) {
  double largest = 0;
  bool has_nan = false;
  InterruptPoll poll(vm);
  for (double x : parts) {
    poll.step();
    has_nan |= std::isnan(x);
    largest = std::fmax(largest, std::fabs(x));
  }
  if (std::isinf(largest)) return largest;
  if (has_nan) return NAN;
  if (largest == 0) return 0;
  int exponent;
  std::frexp(largest, &exponent);
  double high = 0, low = 0;
  for (double x : parts) {
    poll.step();
    const double scaled = std::ldexp(x, -exponent);
    const double square = scaled * scaled;
    const double sum = high + square;
    const double taken = sum - high;  // the part of the square that `sum` took
    low += (high - (sum - taken)) + (square - taken) + std::fma(scaled, scaled, -square);
    high = sum;
  }
  return std::ldexp(corrected_root(high, low), exponent);
}

Value math_hypot(Interpreter& vm, std::span<const Value> coordinates) {
  std::vector<double> parts;
  InterruptPoll poll(vm);
  for (const Value& each : coordinates) {
    poll.step();
    parts.push_back(vm.to_real(each));
  }
  return Value::real(norm(vm, parts));
}

Value math_dist(Interpreter& vm, const Value& from, const Value& to) {
  std::vector<Value> p = vm.collect(from), q = vm.collect(to);
  if (p.size() != q.size()) {
    vm.raise_value_error("both points must have the same number of dimensions");
  }
  std::vector<double> parts;
  InterruptPoll poll(vm);
  for (size_t i = 0; i < p.size(); ++i) {
    poll.step();
    parts.push_back(vm.to_real(p[i]) - vm.to_real(q[i]));
  }
  return Value::real(norm(vm, parts));
}

}  // namespace gpy::lib
