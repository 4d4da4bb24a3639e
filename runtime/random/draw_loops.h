#pragma once

// The loops of distributions.def for one engine. Included by one source file an engine: everything
// here is compiled anew for each.

#include <math.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/random/distribution.h"
#include "runtime/random/log_factorial.h"
#include "runtime/random/ziggurat.h"

namespace gpy::rt {
namespace {

#include "runtime/ops/support.h"
#include "runtime/ops/support/samplers.h"

template <class Engine> u64 masked_interval(Engine& engine, u64 last) {
  u64 mask = last;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  u64 value;
  if (last == 0) return 0;
  if (last <= 0xffffffffu) {
    while ((value = engine.next32() & mask) > last) {
    }
  } else {
    while ((value = engine.next64() & mask) > last) {
    }
  }
  return value;
}

// What samplers ask of a Generator.
template <class Engine> struct FreshBits {
  static constexpr bool kFrozen = false;
  Engine& engine;

  f64 uniform(f64) { return engine.next_double(); }
  f32 uniform(f32) { return engine.next_float(); }
  template <class T> T normal(T) { return ziggurat_normal<T>(engine); }
  template <class T> T exponential(T) { return ziggurat_exponential<T>(engine); }
  u64 interval(u64 last) { return masked_interval(engine, last); }
  f64 log_factorial(i64 k) { return rt::log_factorial(k); }
  static constexpr bool more() { return true; }
};

// And of a RandomState.
template <class Engine> struct FrozenBits {
  static constexpr bool kFrozen = true;
  Engine& engine;
  SpareNormal& spare;

  f64 uniform(f64) { return engine.next_double(); }
  // G. Marsaglia's polar method makes two at a time.
  f64 normal(f64) {
    if (spare.has) {
      spare.has = false;
      return std::exchange(spare.value, 0);
    }
    f64 x, y, square;
    do {
      x = 2.0 * engine.next_double() - 1.0;
      y = 2.0 * engine.next_double() - 1.0;
      square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    const f64 factor = std::sqrt(-2.0 * std::log(square) / square);
    spare = {true, factor * x};
    return factor * y;
  }
  f64 exponential(f64) { return -std::log(1.0 - engine.next_double()); }
  u64 interval(u64 last) { return masked_interval(engine, last); }
  f64 log_factorial(i64 k) { return log_gamma(f64(k + 1)); }
  static constexpr bool more() { return true; }
};

template <class Result, class Bits, class Make>
void draw_each(Bits& bits, bool single, void* out, int64_t count, const Make& make) {
  auto* to = static_cast<Result*>(out);
  if (!single) {
    return for_each_polled(count, [&](int64_t at) { to[at] = make(at).draw(bits); });
  }
  const auto sampler = make(0);
  for_each_polled(count, [&](int64_t at) { to[at] = sampler.draw(bits); });
}

// Of a row's parameters one element, as the row's sampler reads them.
struct Element {
  const Parameters& parameters;
  int64_t at;
  template <class T> T get(int i) const { return static_cast<const T*>(parameters.at[i])[at]; }
};

// Reads only the parameters that the sampler names.
#define GPY_READ                                   \
  [[maybe_unused]] auto a = lazy<f64>(element, 0); \
  [[maybe_unused]] auto b = lazy<f64>(element, 1); \
  [[maybe_unused]] auto c = lazy<f64>(element, 2); \
  [[maybe_unused]] auto i = lazy<i64>(element, 0); \
  [[maybe_unused]] auto j = lazy<i64>(element, 1); \
  [[maybe_unused]] auto k = lazy<i64>(element, 2)

template <class T> T lazy(const Element& element, int place) {
  return element.parameters.at[place] ? element.get<T>(place) : T();
}

template <class Bits>
void draw_row(Bits& bits, Distribution distribution, const Parameters& parameters, void* out,
              int64_t count) {
  switch (distribution) {
#define DISTRIBUTION(name, Result, signature, help, checks, pair, ...)              \
  case Distribution::name:                                                          \
    return draw_each<Result>(bits, parameters.single, out, count, [&](int64_t at) { \
      const Element element{parameters, at};                                        \
      GPY_READ;                                                                     \
      return __VA_ARGS__;                                                           \
    });
#include "runtime/random/distributions.def"
#undef DISTRIBUTION
    case Distribution::standard_gamma:
      return draw_each<f64>(bits, parameters.single, out, count, [&](int64_t at) {
        return StandardGamma<f64>(Element{parameters, at}.get<f64>(0));
      });
  }
}
#undef GPY_READ

}  // namespace
}  // namespace gpy::rt
