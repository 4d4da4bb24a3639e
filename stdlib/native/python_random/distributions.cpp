// random.uniform, gauss and the other real distributions, in the order of CPython's draws.
#include <cmath>
#include <numbers>

#include "src/numbers/number.h"
#include "stdlib/native/python_random/source.h"

namespace gpy::lib {

static constexpr double kTwoPi = 2 * std::numbers::pi;

static double real(Interpreter& vm, const Value& v) { return vm.to_real(v); }

static Value uniform(Interpreter& vm, Args args) {
  double width = real(vm, vm.binary(BinaryOp::subtract, args[2], args[1]));
  return Value::real(real(vm, args[1]) + width * source_of(args[0]).uniform());
}

static Value triangular(Interpreter& vm, Args args) {
  double u = source_of(args[0]).uniform();
  double low = real(vm, args[1]), high = real(vm, args[2]);
  double c = 0.5;
  if (!args[3].is_none()) {
    if (high == low) return args[1];
    c = (real(vm, args[3]) - low) / (high - low);
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

static Value normalvariate(Interpreter& vm, Args args) {
  return Value::real(normal(source_of(args[0]), real(vm, args[1]), real(vm, args[2])));
}

static Value lognormvariate(Interpreter& vm, Args args) {
  double power = std::exp(normal(source_of(args[0]), real(vm, args[1]), real(vm, args[2])));
  if (std::isinf(power)) vm.raise_overflow_error("math range error");
  return Value::real(power);
}

static Value gauss(Interpreter& vm, Args args) {
  RandomSource& source = source_of(args[0]);
  double mu = real(vm, args[1]), sigma = real(vm, args[2]);
  Value kept = std::exchange(source.gauss_next, Value::none());
  if (!kept.is_none()) return Value::real(mu + vm.to_real(kept) * sigma);
  double angle = source.uniform() * kTwoPi;
  double radius = std::sqrt(-2.0 * std::log(1.0 - source.uniform()));
  source.gauss_next = Value::real(std::sin(angle) * radius);
  return Value::real(mu + std::cos(angle) * radius * sigma);
}

// --- others --------------------------------------------------------------------------------------

static Value expovariate(Interpreter& vm, Args args) {
  double rate = real(vm, args[1]);
  double u = source_of(args[0]).uniform();
  if (rate == 0) vm.raise_zero_division_error("float division by zero");
  return Value::real(-std::log(1.0 - u) / rate);
}

static double positive_modulo(double a, double b) {
  double r = std::fmod(a, b);
  return r < 0 ? r + b : r;
}

static Value vonmisesvariate(Interpreter& vm, Args args) {
  RandomSource& source = source_of(args[0]);
  double mu = real(vm, args[1]), kappa = real(vm, args[2]);
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

// Of a shape above 1 (R. C. H. Cheng, 1977).
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

// Of a shape below 1 (Kennedy and Gentle).
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

static Value gammavariate(Interpreter& vm, Args args) {
  return Value::real(gamma(vm, source_of(args[0]), real(vm, args[1]), real(vm, args[2])));
}

static Value betavariate(Interpreter& vm, Args args) {
  RandomSource& source = source_of(args[0]);
  double alpha = real(vm, args[1]), beta = real(vm, args[2]);
  double y = gamma(vm, source, alpha, 1.0);
  return Value::real(y == 0 ? 0.0 : y / (y + gamma(vm, source, beta, 1.0)));
}

static Value paretovariate(Interpreter& vm, Args args) {
  double u = 1.0 - source_of(args[0]).uniform();
  return Value::real(std::pow(u, -1.0 / real(vm, args[1])));
}

static Value weibullvariate(Interpreter& vm, Args args) {
  double u = 1.0 - source_of(args[0]).uniform();
  return Value::real(real(vm, args[1]) * std::pow(-std::log(u), 1.0 / real(vm, args[2])));
}

static const Native kRows[] = {
    {"betavariate", "(self, alpha, beta)", betavariate, "The beta distribution."},
    {"expovariate", "(self, lambd)", expovariate, "The exponential distribution of a rate."},
    {"gammavariate", "(self, alpha, beta)", gammavariate, "The gamma distribution."},
    {"gauss", "(self, mu=0.0, sigma=1.0)", gauss, "The normal distribution, a little faster."},
    {"lognormvariate", "(self, mu, sigma)", lognormvariate, "exp of the normal distribution."},
    {"normalvariate", "(self, mu=0.0, sigma=1.0)", normalvariate, "The normal distribution."},
    {"paretovariate", "(self, alpha)", paretovariate, "The Pareto distribution."},
    {"triangular", "(self, low=0.0, high=1.0, mode=None)", triangular,
     "The triangular distribution."},
    {"uniform", "(self, a, b)", uniform, "A float between a and b, each as likely."},
    {"vonmisesvariate", "(self, mu, kappa)", vonmisesvariate,
     "Angles: the von Mises distribution."},
    {"weibullvariate", "(self, alpha, beta)", weibullvariate, "The Weibull distribution."},
};

std::span<const Native> random_distribution_rows() { return kRows; }

}  // namespace gpy::lib
