#pragma once

// Just enough constexpr arithmetic with twice a double's digits (T. J. Dekker, 1971) to compute
// tables that are correctly rounded whatever the math library.

namespace gpy::rt {

struct Wide {
  double high = 0;
  double low = 0;

  constexpr Wide() = default;
  constexpr Wide(double value) : high(value) {}
  constexpr Wide(double high, double low) : high(high), low(low) {}
  constexpr double rounded() const { return high; }
};

namespace wide_detail {

constexpr Wide exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

constexpr Wide exact_product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double a_high = a * kSplit - (a * kSplit - a);
  const double b_high = b * kSplit - (b * kSplit - b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

}  // namespace wide_detail

constexpr Wide operator-(Wide a) { return {-a.high, -a.low}; }
constexpr Wide operator+(Wide a, Wide b) {
  const Wide sum = wide_detail::exact_sum(a.high, b.high);
  const Wide rest = wide_detail::exact_sum(a.low, b.low);
  const Wide head = wide_detail::exact_sum(sum.high, sum.low + rest.high);
  return wide_detail::exact_sum(head.high, head.low + rest.low);
}
constexpr Wide operator-(Wide a, Wide b) { return a + -b; }
constexpr Wide operator*(Wide a, Wide b) {
  const Wide product = wide_detail::exact_product(a.high, b.high);
  return wide_detail::exact_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
constexpr Wide operator/(Wide a, Wide b) {
  Wide quotient = a.high / b.high;
  for (int i = 0; i < 2; ++i) quotient = quotient + (a - quotient * b).high / b.high;
  return quotient;
}

// e^x - 1 of a small argument by its series, then doubled back: (1 + s)^2 - 1 = s (2 + s).
constexpr Wide exp(Wide x) {
  constexpr int kDoublings = 14;
  const Wide small = x * Wide(1.0 / (1 << kDoublings));
  Wide sum = small / Wide(9);
  for (int n = 8; n > 0; --n) sum = (small / Wide(n)) * (Wide(1) + sum);
  for (int i = 0; i < kDoublings; ++i) sum = sum * (Wide(2) + sum);
  return Wide(1) + sum;
}

// Halley's iteration, cubic, from `guess`.
constexpr Wide log(Wide x, Wide guess) {
  while (true) {
    const Wide e = exp(guess);
    const Wide step = Wide(2) * ((x - e) / (x + e));
    guess = guess + step;
    if (step.high < 1e-11 && step.high > -1e-11) return guess;
  }
}

constexpr Wide sqrt(Wide x, Wide guess) {
  for (int i = 0; i < 5; ++i) guess = (guess + x / guess) * Wide(0.5);
  return guess;
}

}  // namespace gpy::rt
