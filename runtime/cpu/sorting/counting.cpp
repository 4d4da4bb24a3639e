#include "runtime/cpu/sorting/counting.h"

#include <mutex>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/elements.h"
#include "runtime/cpu/sorting/searching.h"

namespace gpy::rt {
namespace {

// Adds value i to bin_of(i), or to no bin if that is negative. Threads count into bins of their own
// where these are few beside the values; weights are summed one after another, since their order
// affects the sum.
template <class BinOf>
void add_up(Workplace& at, int64_t count, int64_t bins, const Tally& tally, BinOf bin_of) {
  at.memory.fill_zero(tally.totals, bins * sizeof(int64_t));
  if (tally.weights) {
    double* const sums = static_cast<double*>(tally.totals);
    for_each_polled(count, [&](int64_t i) {
      if (const int64_t bin = bin_of(i); bin >= 0) sums[bin] += tally.weights[i];
    });
    return;
  }
  int64_t* const totals = static_cast<int64_t*>(tally.totals);
  const auto count_piece = [&](int64_t begin, int64_t end, int64_t* counts) {
    for_each_polled(end - begin, [&](int64_t i) {
      if (const int64_t bin = bin_of(begin + i); bin >= 0) ++counts[bin];
    });
  };
  const int64_t grain = std::max<int64_t>(1 << 15, 8 * bins);
  if (count < 2 * grain) return count_piece(0, count, totals);
  std::mutex mutex;
  at.threads.run(count, grain, [&](int64_t begin, int64_t end) {
    std::vector<int64_t> counts(bins, 0);
    count_piece(begin, end, counts.data());
    const std::lock_guard lock(mutex);
    for (int64_t bin = 0; bin < bins; ++bin) totals[bin] += counts[bin];
  });
}

// Nearly evenly spaced edges: the bin of a value is estimated from its distance, and corrected by
// comparing with the edges beside it.
template <class T> struct EvenEdges {
  const T* edges;
  int64_t bins;
  double first, per_width;
  bool even = false;

  EvenEdges(const T* edges, int64_t bins) : edges(edges), bins(bins) {
    if (bins < 1) return;
    first = static_cast<double>(edges[0]);
    per_width = static_cast<double>(bins) / (static_cast<double>(edges[bins]) - first);
    if (!(per_width > 0) || !std::isfinite(per_width)) return;
    for (int64_t i = 0; i <= bins; ++i) {
      if (!(std::abs(place_of(edges[i]) - static_cast<double>(i)) < 1)) return;
    }
    even = true;
  }
  double place_of(T value) const { return (static_cast<double>(value) - first) * per_width; }

  int64_t bin_of(T value) const {
    if (!(value >= edges[0] && value <= edges[bins])) return -1;
    int64_t bin = std::clamp<int64_t>(static_cast<int64_t>(place_of(value)), 0, bins - 1);
    while (bin > 0 && value < edges[bin]) --bin;
    while (bin < bins - 1 && value >= edges[bin + 1]) ++bin;
    return bin;
  }
};

template <class T>
void count_by_search(Workplace& at, DType dtype, const T* values, int64_t count, const T* edges,
                     int64_t bins, const Tally& tally) {
  Scratch<int64_t> scratch(at, count);
  int64_t* const positions = scratch.data();
  search_sorted(at, dtype, edges, bins + 1, values, count, Side::kRight, positions);
  add_up(at, count, bins, tally, [&](int64_t i) {
    if (positions[i] <= bins) return positions[i] - 1;
    // The right edge belongs to the last bin.
    const bool beyond = comes_before(edges[bins], values[i]);
    return beyond ? int64_t{-1} : bins - 1;
  });
}

}  // namespace

Extremes extremes_of(ThreadPool& threads, const int64_t* values, int64_t count) {
  Extremes found{values[0], values[0]};
  std::mutex mutex;
  threads.run(count, 1 << 17, [&](int64_t begin, int64_t end) {
    constexpr int64_t kPolled = 1 << 16;
    Extremes part{values[begin], values[begin]};
    for (; begin < end; begin += kPolled) {
      poll_interrupt();
      int64_t least, greatest;
      sorting_loops().extremes(values + begin, std::min(kPolled, end - begin), &least, &greatest);
      part = {std::min(part.least, least), std::max(part.greatest, greatest)};
    }
    const std::lock_guard lock(mutex);
    found = {std::min(found.least, part.least), std::max(found.greatest, part.greatest)};
  });
  return found;
}

void count_values_in(Workplace& at, const int64_t* values, int64_t count, int64_t bins,
                     const Tally& tally) {
  add_up(at, count, bins, tally, [values](int64_t i) { return values[i]; });
}

void count_between_edges(Workplace& at, DType dtype, const void* values, int64_t count,
                         const void* edges, int64_t bins, const Tally& tally) {
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    const T* const elements = static_cast<const T*>(values);
    const T* const borders = static_cast<const T*>(edges);
    if constexpr (std::is_arithmetic_v<T>) {
      const EvenEdges<T> even(borders, bins);
      if (even.even) {
        return add_up(at, count, bins, tally, [&](int64_t i) { return even.bin_of(elements[i]); });
      }
    }
    count_by_search(at, dtype, elements, count, borders, bins, tally);
  });
}

}  // namespace gpy::rt
