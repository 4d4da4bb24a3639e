// random.uniform, gauss and the other real distributions, in the order of CPython's draws.
#include <cmath>
#include <numbers>

#include "src/numbers/number.h"
#include "src/typed_native.h"
#include "stdlib/native/python_random/source.h"

namespace gpy::lib {

static constexpr double kTwoPi = 2 * std::numbers::pi;

static Value uniform(Interpreter& vm, RandomSource& source, const Value& a, const Value& b) {
  double width = vm.to_real(vm.binary(BinaryOp::subtract, b, a));
  return Value::real(vm.to_real(a) + width * source.uniform());
}

static Value triangular(Interpreter& vm, RandomSource& source, const Value& from, const Value& to,
                        const Value& mode) {
  double u = source.uniform();
  double low = vm.to_real(from), high = vm.to_real(to);
  double c = 0.5;
  if (!mode.is_none()) {
    if (high == low) return from;
    c = (vm.to_real(mode) - low) / (high - low);
  }
  if (u > c) {
    u = 1.0 - u;
    c = 1.0 - c;
    std::swap(low, high);
  }
  return Value::real(low + (high - low) * std::sqrt(u * c));
}

// --- normal --------------------------------------------------------------------------------------

static double normal(RandomSource& source, double mu, double sigma) {
  const double magic = 4 * std::exp(-0.5) / std::sqrt(2.0);
  for (;;) {
    double u1 = source.uniform();
    double u2 = 1.0 - source.uniform();
    double z = magic * (u1 - 0.5) / u2;
    if (z * z / 4.0 <= -std::log(u2)) return mu + z * sigma;
  }
}

static Value normalvariate(Interpreter&, RandomSource& source, double mu, double sigma) {
  return Value::real(normal(source, mu, sigma));
}

static Value lognormvariate(Interpreter& vm, RandomSource& source, double mu, double sigma) {
  double power = std::exp(normal(source, mu, sigma));
  if (std::isinf(power)) vm.raise_overflow_error("math range error");
  return Value::real(power);
}

static Value gauss(Interpreter& vm, RandomSource& source, double mu, double sigma) {
  Value kept = std::exchange(source.gauss_next, Value::none());
  if (!kept.is_none()) return Value::real(mu + vm.to_real(kept) * sigma);
  double angle = source.uniform() * kTwoPi;
  double radius = std::sqrt(-2.0 * std::log(1.0 - source.uniform()));
  source.gauss_next = Value::real(std::sin(angle) * radius);
  return Value::real(mu + std::cos(angle) * radius * sigma);
}

// --- others --------------------------------------------------------------------------------------

static Value expovariate(Interpreter& vm, RandomSource& source, double rate) {
  double u = source.uniform();
  if (rate == 0) vm.raise_zero_division_error("float division by zero");
  return Value::real(-std::log(1.0 - u) / rate);
}

static double positive_modulo(double a, double b) {
  double r = std::fmod(a, b);
  return r < 0 ? r + b : r;
}

static Value vonmisesvariate(Interpreter&, RandomSource& source, double mu, double kappa) {
  if (kappa <= 1e-6) return Value::real(kTwoPi * source.uniform());
  double s = 0.5 / kappa, r = s + std::sqrt(1.0 + s * s), z = 0;
  for (;;) {
    z = std::cos(std::numbers::pi * source.uniform());
    double d = z / (r + z);
    double u2 = source.uniform();
    if (u2 < 1.0 - d * d || u2 <= (1.0 - d) * std::exp(d)) break;
  }
  double q = 1.0 / r;
  double angle = std::acos((q + z) / (1.0 + q * z));
  double sign = source.uniform() > 0.5 ? 1 : -1;
  return Value::real(positive_modulo(mu + sign * angle, kTwoPi));
}

// Gamma of a shape above 1 (R. C. H. Cheng, 1977).
static double gamma_of_large(RandomSource& source, double alpha, double beta) {
  const double log4 = std::log(4.0), magic = 1.0 + std::log(4.5);
  double inverse = std::sqrt(2.0 * alpha - 1.0), b = alpha - log4, c = alpha + inverse;
  for (;;) {
    double u1 = source.uniform();
    if (!(1e-7 < u1 && u1 < 0.9999999)) continue;
    double u2 = 1.0 - source.uniform();
    double v = std::log(u1 / (1.0 - u1)) / inverse;
    double x = alpha * std::exp(v);
    double z = u1 * u1 * u2;
    double r = b + c * v - x;
    if (r + magic - 4.5 * z >= 0.0 || r >= std::log(z)) return x * beta;
  }
}

// Gamma of a shape below 1 (Kennedy and Gentle).
static double gamma_of_small(RandomSource& source, double alpha, double beta) {
  for (;;) {
    double b = (std::numbers::e + alpha) / std::numbers::e;
    double p = b * source.uniform();
    double x = p <= 1.0 ? std::pow(p, 1.0 / alpha) : -std::log((b - p) / alpha);
    double u = source.uniform();
    if (p > 1.0 ? u <= std::pow(x, alpha - 1.0) : u <= std::exp(-x)) return x * beta;
  }
}

static double gamma(Interpreter& vm, RandomSource& source, double alpha, double beta) {
  if (alpha <= 0.0 || beta <= 0.0) {
    vm.raise_value_error("gammavariate: alpha and beta must be > 0.0");
  }
  if (alpha > 1.0) return gamma_of_large(source, alpha, beta);
  if (alpha == 1.0) return -std::log(1.0 - source.uniform()) * beta;
  return gamma_of_small(source, alpha, beta);
}

static Value gammavariate(Interpreter& vm, RandomSource& source, double alpha, double beta) {
  return Value::real(gamma(vm, source, alpha, beta));
}

static Value betavariate(Interpreter& vm, RandomSource& source, double alpha, double beta) {
  double y = gamma(vm, source, alpha, 1.0);
  return Value::real(y == 0 ? 0.0 : y / (y + gamma(vm, source, beta, 1.0)));
}

static Value paretovariate(Interpreter& vm, RandomSource& source, const Value& alpha) {
  double u = 1.0 - source.uniform();
  return Value::real(std::pow(u, -1.0 / vm.to_real(alpha)));
}

static Value weibullvariate(Interpreter& vm, RandomSource& source, const Value& alpha,
                            const Value& beta) {
  double u = 1.0 - source.uniform();
  return Value::real(vm.to_real(alpha) * std::pow(-std::log(u), 1.0 / vm.to_real(beta)));
}

static const Native kRows[] = {
    {"betavariate", "(self, alpha, beta)", typed<betavariate>, "The beta distribution."},
    {"expovariate", "(self, lambd)", typed<expovariate>, "The exponential distribution of a rate."},
    {"gammavariate", "(self, alpha, beta)", typed<gammavariate>, "The gamma distribution."},
    {"gauss", "(self, mu=0.0, sigma=1.0)", typed<gauss>,
     "The normal distribution, a little faster."},
    {"lognormvariate", "(self, mu, sigma)", typed<lognormvariate>,
     "exp of the normal distribution."},
    {"normalvariate", "(self, mu=0.0, sigma=1.0)", typed<normalvariate>,
     "The normal distribution."},
    {"paretovariate", "(self, alpha)", typed<paretovariate>, "The Pareto distribution."},
    {"triangular", "(self, low=0.0, high=1.0, mode=None)", typed<triangular>,
     "The triangular distribution."},
    {"uniform", "(self, a, b)", typed<uniform>, "A float between a and b, each as likely."},
    {"vonmisesvariate", "(self, mu, kappa)", typed<vonmisesvariate>,
     "Angles: the von Mises distribution."},
    {"weibullvariate", "(self, alpha, beta)", typed<weibullvariate>, "The Weibull distribution."},
};

std::span<const Native> random_distribution_rows() { return kRows; }

}  // namespace gpy::lib
