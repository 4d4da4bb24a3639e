#include "runtime/random/generator.h"

#include <cmath>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/memory/account.h"
#include "runtime/random/fill_integers.h"
#include "runtime/random/ziggurat.h"

namespace gpy::rt {
namespace {

template <class Real, class Draw> void fill(std::span<Real> out, const Draw& draw) {
  for_each_polled(static_cast<int64_t>(out.size()), [&](int64_t i) { out[i] = draw(); });
}

void check_scale(double scale) {
  if (std::signbit(scale) && !std::isnan(scale)) fail(ErrorKind::kValue, "scale < 0");
}

}  // namespace

template <class Bits> void Generator<Bits>::random(std::span<double> out) {
  fill(out, [this] { return bits_.next_double(); });
}

template <class Bits> void Generator<Bits>::random(std::span<float> out) {
  fill(out, [this] { return bits_.next_float(); });
}

template <class Bits>
void Generator<Bits>::uniform(double low, double high, std::span<double> out) {
  const double range = high - low;
  if (!std::isfinite(range)) {
    fail(ErrorKind::kOverflow, "high - low range exceeds valid bounds");
  }
  if (std::signbit(range)) fail(ErrorKind::kValue, "high - low < 0");
  fill(out, [&] { return low + range * bits_.next_double(); });
}

template <class Bits> void Generator<Bits>::standard_normal(std::span<double> out) {
  fill(out, [this] { return ziggurat_normal<double>(bits_); });
}

template <class Bits> void Generator<Bits>::standard_normal(std::span<float> out) {
  fill(out, [this] { return ziggurat_normal<float>(bits_); });
}

template <class Bits>
void Generator<Bits>::normal(double loc, double scale, std::span<double> out) {
  check_scale(scale);
  fill(out, [&] { return loc + scale * ziggurat_normal<double>(bits_); });
}

template <class Bits> void Generator<Bits>::standard_exponential(std::span<double> out) {
  fill(out, [this] { return ziggurat_exponential<double>(bits_); });
}

template <class Bits> void Generator<Bits>::standard_exponential(std::span<float> out) {
  fill(out, [this] { return ziggurat_exponential<float>(bits_); });
}

template <class Bits> void Generator<Bits>::standard_exponential_inverse(std::span<double> out) {
  fill(out, [this] { return -std::log1p(-bits_.next_double()); });
}

template <class Bits> void Generator<Bits>::standard_exponential_inverse(std::span<float> out) {
  fill(out, [this] {
    return static_cast<float>(-std::log1p(-static_cast<double>(bits_.next_float())));
  });
}

template <class Bits> void Generator<Bits>::exponential(double scale, std::span<double> out) {
  check_scale(scale);
  fill(out, [&] { return scale * ziggurat_exponential<double>(bits_); });
}

template <class Bits>
void Generator<Bits>::integers(DType dtype, Int128 low, Int128 high, bool endpoint, void* out,
                               int64_t count) {
  const IntegerRange range = make_integer_range(dtype, low, high, endpoint, "integers");
  fill_integers<Bounding::kLemire>(
      bits_, dtype, [&](int64_t) -> const IntegerRange& { return range; }, out, count);
}

template <class Bits>
void Generator<Bits>::integers(DType dtype, std::span<const IntegerRange> ranges, void* out,
                               int64_t count) {
  fill_integers<Bounding::kLemire>(bits_, dtype, RangeOfEach(ranges), out, count);
}

template <class Bits> std::vector<int64_t> Generator<Bits>::permutation(int64_t n) {
  const Charge scratch(std::max<int64_t>(n, 0) * sizeof(int64_t));
  std::vector<int64_t> items = count_to(n);
  shuffle(n, [&](int64_t i, int64_t j) { std::swap(items[i], items[j]); });
  return items;
}

template <class Bits>
std::vector<int64_t> Generator<Bits>::choose_with_replacement(const ChoiceRequest& request) {
  const Charge scratch(request.count * sizeof(int64_t));
  std::vector<int64_t> chosen(request.count);
  if (chosen.empty()) return chosen;
  integers(DType::kInt64, 0, request.population, false, chosen.data(), request.count);
  return chosen;
}

// A shuffle of the whole population that stops once its tail is ready.
template <class Bits>
std::vector<int64_t> Generator<Bits>::choose_tail(const ChoiceRequest& request) {
  const Charge scratch(request.population * sizeof(int64_t));
  std::vector<int64_t> items = count_to(request.population);
  const int64_t first = std::max<int64_t>(request.population - request.count, 1);
  BoundedIntegers<Bits, Bounding::kLemire> draws(bits_);
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
template <class Bits>
std::vector<int64_t> Generator<Bits>::choose_by_set(const ChoiceRequest& request) {
  const Charge scratch(request.count * 4 * sizeof(int64_t));
  std::vector<int64_t> chosen;
  IndexSet taken(request.count);
  BoundedIntegers<Bits, Bounding::kLemire> draws(bits_);
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

template <class Bits> std::vector<int64_t> Generator<Bits>::choice(const ChoiceRequest& request) {
  check_choice(request, RandomApi::kGenerator);
  if (request.has_weights) {
    return choose_weighted(request, [this](std::span<double> out) { random(out); });
  }
  if (request.replace) return choose_with_replacement(request);
  // NumPy's heuristic for when the set is worth its hashing.
  const int64_t cutoff = request.shuffle ? 50 : 20;
  const bool many = request.population > 10000 && request.count > request.population / cutoff;
  return many ? choose_tail(request) : choose_by_set(request);
}

template class Generator<Pcg64>;
template class Generator<Mt19937>;

}  // namespace gpy::rt
