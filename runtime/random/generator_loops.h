#pragma once

// The bodies of Generator, for the source files that make one for their engine.

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/memory/account.h"
#include "runtime/random/draw_loops.h"
#include "runtime/random/fill_integers.h"
#include "runtime/random/generator.h"
#include "runtime/random/virtual_draws.h"
#include "runtime/random/ziggurat.h"

namespace gpy::rt {
namespace {

template <class T, class Draw> void fill(std::span<T> out, const Draw& draw) {
  for_each_polled(static_cast<int64_t>(out.size()), [&](int64_t i) { out[i] = draw(); });
}

}  // namespace

template <class Engine> std::vector<uint64_t> Generator<Engine>::state() const {
  std::vector<uint64_t> words(Engine::kStateWords);
  engine_.save(words);
  return words;
}

template <class Engine> void Generator<Engine>::raw(std::span<uint64_t> out) {
  fill(out, [this] { return engine_.next_raw(); });
}

template <class Engine> void Generator<Engine>::random(std::span<double> out) {
  fill(out, [this] { return engine_.next_double(); });
}

template <class Engine> void Generator<Engine>::random(std::span<float> out) {
  fill(out, [this] { return engine_.next_float(); });
}

template <class Engine> void Generator<Engine>::standard_normal(std::span<double> out) {
  fill(out, [this] { return ziggurat_normal<double>(engine_); });
}

template <class Engine> void Generator<Engine>::standard_normal(std::span<float> out) {
  fill(out, [this] { return ziggurat_normal<float>(engine_); });
}

template <class Engine> void Generator<Engine>::standard_exponential(std::span<double> out) {
  fill(out, [this] { return ziggurat_exponential<double>(engine_); });
}

template <class Engine> void Generator<Engine>::standard_exponential(std::span<float> out) {
  fill(out, [this] { return ziggurat_exponential<float>(engine_); });
}

template <class Engine>
void Generator<Engine>::standard_exponential_inverse(std::span<double> out) {
  fill(out, [this] { return -std::log1p(-engine_.next_double()); });
}

template <class Engine> void Generator<Engine>::standard_exponential_inverse(std::span<float> out) {
  fill(out, [this] {
    return static_cast<float>(-std::log1p(-static_cast<double>(engine_.next_float())));
  });
}

template <class Engine>
void Generator<Engine>::standard_gamma(std::span<const float> shapes, std::span<float> out) {
  FreshBits<Engine> bits{engine_};
  const bool single = shapes.size() == 1;
  draw_each<float>(bits, single, out.data(), std::ssize(out),
                   [&](int64_t i) { return StandardGamma<float>(shapes[i]); });
}

template <class Engine>
void Generator<Engine>::draw(Distribution distribution, const Parameters& parameters, void* out,
                             int64_t count) {
  FreshBits<Engine> bits{engine_};
  draw_row(bits, distribution, parameters, out, count);
}

template <class Engine>
void Generator<Engine>::frozen_normal(SpareNormal& spare, std::span<double> out) {
  FrozenBits<Engine> bits{engine_, spare};
  fill(out, [&] { return bits.normal(0.0); });
}

template <class Engine> void Generator<Engine>::frozen_exponential(std::span<double> out) {
  fill(out, [this] { return -std::log(1.0 - engine_.next_double()); });
}

// RandomState has nearly always the Mersenne Twister; the others share one copy of the loops.
template <class Engine>
void Generator<Engine>::frozen_draw(SpareNormal& spare, Distribution distribution,
                                    const Parameters& parameters, void* out, int64_t count) {
  if constexpr (std::is_same_v<Engine, Mt19937>) {
    FrozenBits<Engine> bits{engine_, spare};
    draw_row(bits, distribution, parameters, out, count);
  } else {
    frozen_draw_any(*this, spare, distribution, parameters, out, count);
  }
}

template <class Engine>
void Generator<Engine>::integers(DType dtype, std::span<const IntegerRange> ranges,
                                 Bounding bounding, void* out, int64_t count) {
  const RangeOfEach range_at(ranges);
  if (bounding == Bounding::kLemire) {
    return fill_integers<Bounding::kLemire>(engine_, dtype, range_at, out, count);
  }
  fill_integers<Bounding::kMasked>(engine_, dtype, range_at, out, count);
}

template <class Engine> uint64_t Generator<Engine>::interval(uint64_t last) {
  return masked_interval(engine_, last);
}

template <class Engine>
template <class Swap>
void Generator<Engine>::exchange(int64_t n, const Swap& swap) {
  BoundedIntegers<Engine, Bounding::kMasked> draws(engine_);
  draw_in_blocks<uint64_t>(
      n - 1, [&](int64_t done) { return draws.template draw<uint64_t>(n - 1 - done); },
      [&](int64_t first, const uint64_t* block, int64_t count) {
        for (int64_t k = 0; k < count; ++k) {
          const int64_t i = n - 1 - first - k, j = static_cast<int64_t>(block[k]);
          swap(i, j);
        }
      });
}

template <class Engine>
void Generator<Engine>::shuffle(int64_t n, const std::function<void(int64_t, int64_t)>& swap) {
  exchange(n, swap);
}

template <class Engine> std::vector<int64_t> Generator<Engine>::permutation(int64_t n) {
  const Charge scratch(std::max<int64_t>(n, 0) * sizeof(int64_t));
  std::vector<int64_t> items = count_to(n);
  exchange(n, [&](int64_t i, int64_t j) { std::swap(items[i], items[j]); });
  return items;
}

template <class Engine>
std::vector<int64_t> Generator<Engine>::choose_with_replacement(const ChoiceRequest& request,
                                                                RandomApi api) {
  const Charge scratch(request.count * sizeof(int64_t));
  std::vector<int64_t> chosen(request.count);
  if (chosen.empty()) return chosen;
  const IntegerRange below[] = {{0, static_cast<uint64_t>(request.population) - 1}};
  integers(DType::kInt64, below, api == RandomApi::kLegacy ? Bounding::kMasked : Bounding::kLemire,
           chosen.data(), request.count);
  return chosen;
}

// A shuffle of the whole population that stops once its tail is ready.
template <class Engine>
std::vector<int64_t> Generator<Engine>::choose_tail(const ChoiceRequest& request) {
  const Charge scratch(request.population * sizeof(int64_t));
  std::vector<int64_t> items = count_to(request.population);
  const int64_t first = std::max<int64_t>(request.population - request.count, 1);
  BoundedIntegers<Engine, Bounding::kLemire> draws(engine_);
  for_each_polled(request.population - first, [&](int64_t done) {
    const int64_t i = request.population - 1 - done;
    std::swap(items[i], items[draws.template draw<uint64_t>(i)]);
  });
  items.erase(items.begin(), items.end() - request.count);
  return items;
}

namespace {

// Open addressing over slots, all free at first. The table is larger than what it will hold.
class IndexSet {
 public:
  explicit IndexSet(int64_t capacity)
      : mask_(mask_over(static_cast<uint64_t>(1.2 * static_cast<double>(capacity)))),
        slots_(mask_ + 1, kFree) {}

  bool insert(uint64_t value) {
    uint64_t at = value & mask_;
    while (slots_[at] != kFree && slots_[at] != value) at = (at + 1) & mask_;
    if (slots_[at] == value) return false;
    slots_[at] = value;
    return true;
  }

 private:
  static constexpr uint64_t kFree = UINT64_MAX;
  uint64_t mask_;
  std::vector<uint64_t> slots_;
};

}  // namespace

// R. W. Floyd's sampling.
template <class Engine>
std::vector<int64_t> Generator<Engine>::choose_by_set(const ChoiceRequest& request) {
  const Charge scratch(request.count * 4 * sizeof(int64_t));
  std::vector<int64_t> chosen;
  IndexSet taken(request.count);
  BoundedIntegers<Engine, Bounding::kLemire> draws(engine_);
  for_each_polled(request.count, [&](int64_t done) {
    const int64_t j = request.population - request.count + done;
    const uint64_t value = draws.template draw<uint64_t>(j);
    const bool fresh = taken.insert(value);
    if (!fresh) taken.insert(j);
    chosen.push_back(fresh ? static_cast<int64_t>(value) : j);
  });
  if (!request.shuffle) return chosen;
  for_each_polled(request.count - 1, [&](int64_t done) {
    const int64_t i = request.count - 1 - done;
    std::swap(chosen[i], chosen[draws.template draw<uint64_t>(i)]);
  });
  return chosen;
}

template <class Engine>
std::vector<int64_t> Generator<Engine>::choice(const ChoiceRequest& request, RandomApi api) {
  check_choice(request, api);
  if (request.has_weights) {
    return choose_weighted(request, [this](std::span<double> out) { random(out); });
  }
  if (request.replace) return choose_with_replacement(request, api);
  if (api == RandomApi::kLegacy) {
    // The whole population is permuted, also for a sample of none.
    std::vector<int64_t> chosen = permutation(request.population);
    chosen.resize(request.count);
    return chosen;
  }
  // NumPy's heuristic for when the set is worth its hashing.
  const int64_t cutoff = request.shuffle ? 50 : 20;
  const bool many = request.population > 10000 && request.count > request.population / cutoff;
  return many ? choose_tail(request) : choose_by_set(request);
}

}  // namespace gpy::rt
