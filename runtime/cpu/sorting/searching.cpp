#include "runtime/cpu/sorting/searching.h"

#include <memory>
#include <optional>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/elements.h"
#include "runtime/cpu/sorting/guide_table.h"
#include "runtime/sorting/interpolation.h"

namespace gpy::rt {
namespace {

// Whether the value's place is behind a sorted element.
template <Side side, class T> bool is_behind(const T& element, const T& value) {
  if constexpr (std::is_integral_v<T>) {
    return side == Side::kLeft ? element < value : element <= value;
  } else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (side == Side::kLeft) return !(element >= value) & (element == element);
    else return (element <= value) | (value != value);
  } else if constexpr (side == Side::kLeft) {
    return comes_before(element, value);
  } else {
    return !comes_before(value, element);
  }
}

constexpr int kTogether = 16;

// Searches `count` values together: each step halves what is left for all, without a branch.
template <Side side, class T>
void search_together(const T* sorted, int64_t length, const T* values, int count,
                     int64_t* positions) {
  int64_t first[kTogether] = {};
  int64_t left = length;
  for (; left > 1; left -= left / 2) {
    const int64_t half = left / 2;
    for (int i = 0; i < count; ++i) {
      first[i] += half & -int64_t{is_behind<side>(sorted[first[i] + half - 1], values[i])};
    }
  }
  for (int i = 0; i < count; ++i) {
    positions[i] = left > 0 ? first[i] + is_behind<side>(sorted[first[i]], values[i]) : 0;
  }
}

// NaN is in no rising row.
template <class T> bool is_rising(const T* values, int64_t count) {
  bool rising = true;
  for (int64_t i = 1; i < count; ++i) rising &= values[i - 1] <= values[i];
  return rising;
}

// Rising values have rising positions: the last one's is searched for from `low` on, in steps that
// double.
template <Side side, class T>
void search_rising(const T* sorted, int64_t length, const T* values, int64_t low,
                   int64_t* positions) {
  int64_t high = low + kTogether;
  for (int64_t step = kTogether;
       high < length && is_behind<side>(sorted[high - 1], values[kTogether - 1]); step *= 2) {
    high += step;
  }
  search_together<side>(sorted + low, std::min(high, length) - low, values, kTogether, positions);
  for (int i = 0; i < kTogether; ++i) positions[i] += low;
}

template <Side side, class T>
void search_next(const T* sorted, int64_t length, const T* values, int64_t i, int64_t* positions) {
  if constexpr (std::is_arithmetic_v<T>) {
    if (is_rising(values + i, kTogether)) {
      const bool goes_on = i > 0 && values[i - 1] <= values[i];
      const int64_t low = goes_on ? positions[i - 1] : 0;
      return search_rising<side>(sorted, length, values + i, low, positions + i);
    }
  }
  search_together<side>(sorted, length, values + i, kTogether, positions + i);
}

template <Side side, class T>
void search_all(const T* sorted, int64_t length, const T* values, int64_t count,
                int64_t* positions) {
  int64_t i = 0;
  for (; i + kTogether <= count; i += kTogether) {
    search_next<side>(sorted, length, values, i, positions);
  }
  search_together<side>(sorted, length, values + i, static_cast<int>(count - i), positions + i);
}

constexpr int64_t kGrain = 1 << 13;

template <Side side> struct IsBehind {
  template <class T> bool operator()(const T& element, const T& value) const {
    return is_behind<side>(element, value);
  }
};

// Finds the places of `count` values, some at a time, among sorted elements.
template <Side side, class T> class Search {
 public:
  Search(Workplace& at, const T* sorted, int64_t length, int64_t count)
      : sorted_(sorted), length_(length) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (Guide::pays(length, count)) {
        guide_ = std::make_unique<Guide>(at, sorted, length, count);
      }
      if (guide_ && !guide_->is_usable()) guide_.reset();
    }
  }

  void find(const T* values, int64_t count, int64_t* positions) {
    for (int64_t i = 0; i < count; i += kPolled) {
      poll_interrupt();
      find_some(values + i, std::min(count - i, kPolled), positions + i);
    }
  }

 private:
  using Guide = GuideTable<T, IsBehind<side>>;
  static constexpr int64_t kPolled = 1 << 12;

  void find_some(const T* values, int64_t count, int64_t* positions) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (guide_) return guide_->find(values, count, positions);
    }
    search_all<side>(sorted_, length_, values, count, positions);
  }

  const T* const sorted_;
  const int64_t length_;
  std::unique_ptr<Guide> guide_;
};

// NaN equals nothing.
template <class T> bool equals(const T& a, const T& b) {
  if constexpr (kIsNarrow<T>) return !is_nan(a) && order_key(a) == order_key(b);
  else if constexpr (std::is_same_v<T, Truth>) return order_key(a) == order_key(b);
  else return a == b;
}

template <class T>
void find_by_search(Workplace& at, DType dtype, const T* set, int64_t length, const T* values,
                    int64_t count, bool* found) {
  Scratch<T> sorted(at, length);
  sort_rows(at, {dtype, 1, length}, set, sorted.data());
  const T* const elements = sorted.data();
  Search<Side::kLeft, T> search(at, elements, length, count);
  at.threads.run(count, kGrain, [&](int64_t begin, int64_t end) {
    constexpr int64_t kPiece = 1024;
    int64_t positions[kPiece];
    for (; begin < end; begin += kPiece) {
      const int64_t piece = std::min(kPiece, end - begin);
      search.find(values + begin, piece, positions);
      for (int64_t i = 0; i < piece; ++i) {
        const T& value = values[begin + i];
        const T& next = elements[std::min(positions[i], length - 1)];
        found[begin + i] = equals(value, next);
      }
    }
  });
}

// Looks values up in a table with a flag for each number between the set's least and greatest.
template <class T>
void find_by_table(Workplace& at, const T* set, int64_t length, const KeyRange& range,
                   const T* values, int64_t count, bool* found) {
  const uint64_t extent = possible_keys(range);
  Scratch<bool> table(at, static_cast<int64_t>(extent));
  bool* const flags = table.data();
  at.memory.fill_zero(flags, extent);
  const uint64_t least = static_cast<uint64_t>(range.least);
  const auto place = [least](T x) { return static_cast<uint64_t>(order_key(x)) - least; };
  for_each_polled(length, [&](int64_t i) { flags[place(set[i])] = true; });
  in_pieces(&at.threads, count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t at_flag = place(values[i]);
      found[i] = at_flag < extent && flags[at_flag];
    }
  });
}

template <class T> KeyRange range_of(const T* values, int64_t count) {
  KeyRange range{INT64_MAX, INT64_MIN, 0};
  for_each_polled(count, [&](int64_t i) {
    const int64_t key = order_key(values[i]);
    range.least = std::min(range.least, key);
    range.greatest = std::max(range.greatest, key);
  });
  return range;
}

}  // namespace

namespace {

template <Side side, class T>
void search_as(Workplace& at, const T* sorted, int64_t length, const T* values, int64_t count,
               int64_t* positions) {
  Search<side, T> search(at, sorted, length, count);
  at.threads.run(count, kGrain, [&](int64_t begin, int64_t end) {
    search.find(values + begin, end - begin, positions + begin);
  });
}

}  // namespace

void search_sorted(Workplace& at, DType dtype, const void* sorted, int64_t length,
                   const void* values, int64_t count, Side side, int64_t* positions) {
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    const auto search =
        side == Side::kLeft ? search_as<Side::kLeft, T> : search_as<Side::kRight, T>;
    search(at, static_cast<const T*>(sorted), length, static_cast<const T*>(values), count,
           positions);
  });
}

namespace {

// Where each knot's slope is used more than once, it is computed before.
class Interpolation {
 public:
  Interpolation(Workplace& at, const Knots& knots, int64_t count) : knots_(knots) {
    if (knots.count > count) return;
    slopes_.emplace(at, knots.count);
    double* const slopes = slopes_->data();
    slopes[knots.count - 1] = 0;
    for (int64_t i = 0; i + 1 < knots.count; ++i) {
      slopes[i] = (knots.f[i + 1] - knots.f[i]) / (knots.x[i + 1] - knots.x[i]);
    }
  }

  // The values at x[i], before which behind[i] of the knots lie, or at which they are.
  void at(const double* x, const int64_t* behind, int64_t count, double* to) {
    if (slopes_) return by_slopes(x, behind, count, to);
    for (int64_t i = 0; i < count; ++i) to[i] = interpolated(x[i], behind[i], knots_);
  }

 private:
  // As interpolated(), without its branches: nothing is known before of where a value lies.
  void by_slopes(const double* x, const int64_t* behind, int64_t count, double* to) {
    const double* const slopes = slopes_->data();
    const Knots knots = knots_;
    const int64_t last = knots.count - 1;
    const double before = knots.has_left ? knots.left : knots.f[0];
    const double after = knots.has_right ? knots.right : knots.f[last];
    for (int64_t i = 0; i < count; ++i) {
      const int64_t low = behind[i] > 0 ? behind[i] - 1 : 0;
      const double x0 = knots.x[low], f0 = knots.f[low];
      double found = slopes[low] * (x[i] - x0) + f0;
      found = low == last || x[i] == x0 ? f0 : found;
      found = behind[i] == 0 || x[i] < knots.x[0] ? before : found;
      found = x[i] > knots.x[last] ? after : found;
      const bool is_number = found == found && x[i] == x[i];
      to[i] = is_number ? found : interpolated(x[i], behind[i], knots);
    }
  }

  const Knots knots_;
  std::optional<Scratch<double>> slopes_;
};

}  // namespace

void interpolate_at(Workplace& at, const Knots& knots, const double* values, int64_t count,
                    double* to) {
  Search<Side::kRight, double> search(at, knots.x, knots.count, count);
  Interpolation between(at, knots, count);
  at.threads.run(count, kGrain, [&](int64_t begin, int64_t end) {
    constexpr int64_t kPiece = 512;
    int64_t behind[kPiece];
    for (; begin < end; begin += kPiece) {
      const int64_t piece = std::min(kPiece, end - begin);
      search.find(values + begin, piece, behind);
      between.at(values + begin, behind, piece, to + begin);
    }
  });
}

void find_contained(Workplace& at, DType dtype, const void* set, int64_t length, const void* values,
                    int64_t count, bool* found) {
  if (length == 0) return at.memory.fill_zero(found, count);
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    const T* const elements = static_cast<const T*>(set);
    const T* const wanted = static_cast<const T*>(values);
    if constexpr (kIsInteger<T>) {
      // NumPy's rule: the table may cost no more than the elements and values that are there.
      const KeyRange range = range_of(elements, length);
      const uint64_t most = 6 * static_cast<uint64_t>(length + count) + (1 << 12);
      if (possible_keys(range) - 1 < most) {
        return find_by_table(at, elements, length, range, wanted, count, found);
      }
    }
    find_by_search(at, dtype, elements, length, wanted, count, found);
  });
}

}  // namespace gpy::rt
