// The sort family of the CPU against sorting by comparing, for every dtype and kind of content.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/cpu/cpu_backend.h"
#include "runtime/cpu/sorting/elements.h"
#include "runtime/sorting/sorting.h"

namespace gpy::rt {
namespace {

constexpr DType kDTypes[] = {
    DType::kBool,    DType::kInt8,    DType::kUInt8,     DType::kInt16,      DType::kUInt16,
    DType::kInt32,   DType::kUInt32,  DType::kInt64,     DType::kUInt64,     DType::kFloat16,
    DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128, DType::kBFloat16};

Sorting& family() {
  static CpuBackend backend;
  return *backend.sorting();
}

// Elements of any bits, or such that differ in the given bits only.
template <class T> std::vector<T> make_elements(int64_t count, uint64_t seed, uint64_t bits) {
  std::mt19937_64 random(seed);
  std::vector<T> elements(count);
  for (T& element : elements) {
    uint64_t words[2] = {random() & bits, random() & bits};
    std::memcpy(static_cast<void*>(&element), words, sizeof(T));
  }
  return elements;
}

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Any byte but 0 is true as a bool, so its byte may change.
template <class T> void make_plain(std::vector<T>& elements) {
  if constexpr (std::is_same_v<T, Truth>) {
    for (T& element : elements) element.byte = element.byte != 0;
  }
}

template <class T>
void check_partition(const Rows& rows, const std::vector<T>& from, const std::vector<T>& sorted) {
  const int64_t n = rows.length;
  const std::vector<int64_t> kths =
      n > 3 ? std::vector<int64_t>{0, n / 3, n / 2, n - 1} : std::vector<int64_t>{n / 2};
  std::vector<T> parted(n);
  family().partition(rows, from.data(), parted.data(), kths);
  std::vector<int64_t> places(n);
  family().argpartition(rows, from.data(), places.data(),
                        std::span(kths).subspan(kths.size() / 2, 1));
  const auto equal = [](const T& a, const T& b) {
    return !comes_before(a, b) && !comes_before(b, a);
  };
  for (int64_t kth : kths) {
    CHECK(equal(parted[kth], sorted[kth]));
    for (int64_t i = 0; i < n; ++i) {
      if (i < kth ? comes_before(parted[kth], parted[i]) : comes_before(parted[i], parted[kth])) {
        FAIL("an element is on the wrong side");
      }
    }
  }
  const int64_t kth = kths[kths.size() / 2];
  CHECK(equal(from[places[kth]], sorted[kth]));
  for (int64_t i = 0; i < n; ++i) {
    const T &here = from[places[i]], &middle = sorted[kth];
    if (i < kth ? comes_before(middle, here) : comes_before(here, middle)) {
      FAIL("a position is on the wrong side");
    }
  }
  std::ranges::sort(places);
  for (int64_t i = 0; i < n; ++i) REQUIRE(places[i] == i);
}

template <class T> void check(DType dtype, int64_t count, uint64_t seed, uint64_t bits) {
  CAPTURE(name(dtype));
  CAPTURE(count);
  CAPTURE(bits);
  std::vector<T> from = make_elements<T>(count, seed, bits);
  make_plain(from);
  const Rows rows{dtype, 1, count};
  std::vector<int64_t> wanted(count), order(count);
  std::iota(wanted.begin(), wanted.end(), 0);
  std::stable_sort(wanted.begin(), wanted.end(),
                   [&](int64_t a, int64_t b) { return comes_before(from[a], from[b]); });
  family().argsort(rows, from.data(), order.data());
  REQUIRE(order == wanted);
  std::vector<T> expected, sorted(count);
  for (int64_t i : wanted) expected.push_back(from[i]);
  family().sort(rows, from.data(), sorted.data());
  REQUIRE(same_bits(sorted, expected));
  if (count > 0) check_partition(rows, from, sorted);
}

constexpr uint64_t kAllBits = ~uint64_t{0};
// Few values; few values and both signs; nearly all NaN or infinite; alike but for the lowest bits.
constexpr uint64_t kPatterns[] = {
    kAllBits, 0, 0x8000800080008003, 0xff80ff80ff80ff80, 0xfff000000000ffff, 0x4000000000000fff};

TEST_CASE("rows are sorted and partitioned as by comparing") {
  for (DType dtype : kDTypes) {
    with_element_type(dtype, [&](auto element) {
      using T = decltype(element);
      uint64_t seed = 1;
      for (uint64_t bits : kPatterns) {
        for (int64_t count :
             {0, 1, 2, 7, 8, 9, 15, 31, 64, 65, 127, 128, 129, 255, 257, 500, 1023, 5000, 9001}) {
          check<T>(dtype, count, ++seed, bits);
        }
      }
      check<T>(dtype, 300001, ++seed, kAllBits);
      check<T>(dtype, 70001, ++seed, kPatterns[2]);
    });
  }
}

TEST_CASE("searches find the places that comparing finds") {
  for (DType dtype : kDTypes) {
    with_element_type(dtype, [&](auto element) {
      using T = decltype(element);
      for (int64_t length : {0, 1, 2, 100, 1000}) {
        std::vector<T> sorted = make_elements<T>(length, 3, 0xff83ff83ff83ff83);
        std::stable_sort(sorted.begin(), sorted.end(), ComesBefore<T>());
        std::vector<T> values = make_elements<T>(333, 4, 0xff83ff83ff83ff83);
        std::stable_sort(values.begin() + 100, values.end(), ComesBefore<T>());
        for (Side side : {Side::kLeft, Side::kRight}) {
          std::vector<int64_t> at(values.size());
          family().search(dtype, sorted.data(), length, values.data(), std::ssize(values), side,
                          at.data());
          for (size_t i = 0; i < values.size(); ++i) {
            const auto found = side == Side::kLeft
                                   ? std::ranges::lower_bound(sorted, values[i], ComesBefore<T>())
                                   : std::ranges::upper_bound(sorted, values[i], ComesBefore<T>());
            REQUIRE(at[i] == found - sorted.begin());
          }
        }
      }
    });
  }
}

TEST_CASE("flags choose, and nothing is written behind what they choose") {
  std::mt19937_64 random(5);
  for (int64_t size : {1, 2, 4, 8, 16, 24}) {
    for (int64_t count : {0, 1, 63, 64, 200, 1000, 70000}) {
      for (uint64_t of : {1, 2, 30}) {
        std::vector<uint8_t> flags(count), elements(count * size);
        for (uint8_t& flag : flags)
          flag = static_cast<uint8_t>(random() % of == 0 ? 1 + random() % 255 : 0);
        for (uint8_t& byte : elements) byte = static_cast<uint8_t>(random());
        std::vector<uint8_t> wanted;
        std::vector<int64_t> places;
        for (int64_t i = 0; i < count; ++i) {
          if (!flags[i]) continue;
          places.push_back(i);
          wanted.insert(wanted.end(), &elements[i * size], &elements[i * size] + size);
        }
        const int64_t chosen = family().count_set(flags.data(), count);
        REQUIRE(chosen == std::ssize(places));
        std::vector<uint8_t> got(wanted.size() + 64, 7);
        family().select_set(flags.data(), count, chosen, elements.data(), size, got.data());
        wanted.resize(wanted.size() + 64, 7);
        REQUIRE(got == wanted);
        std::vector<int64_t> at(chosen + 8, -1);
        family().positions_set(flags.data(), count, chosen, at.data());
        places.resize(chosen + 8, -1);
        REQUIRE(at == places);
      }
    }
  }
}

TEST_CASE("elements are repeated, and nothing is written behind the last") {
  std::mt19937_64 random(6);
  for (int64_t size : {1, 2, 4, 8, 16, 24}) {
    for (int64_t count : {0, 1, 5, 1000, 40000}) {
      std::vector<uint8_t> elements(count * size);
      for (uint8_t& byte : elements) byte = static_cast<uint8_t>(random());
      for (const bool even : {true, false}) {
        std::vector<int64_t> times(even ? 1 : count);
        for (int64_t& each : times) each = static_cast<int64_t>(random() % 9);
        std::vector<uint8_t> wanted;
        for (int64_t i = 0; i < count; ++i) {
          for (int64_t j = 0; j < times[even ? 0 : i]; ++j) {
            wanted.insert(wanted.end(), &elements[i * size], &elements[i * size] + size);
          }
        }
        std::vector<uint8_t> got(wanted.size() + 64, 7);
        wanted.resize(wanted.size() + 64, 7);
        if (!times.empty()) family().repeat(elements.data(), count, size, times, got.data());
        REQUIRE(got == wanted);
      }
    }
  }
}

TEST_CASE("the last of equal positions, few and many places apart") {
  for (const int64_t extent : {int64_t{1}, int64_t{50}, int64_t{1} << 40}) {
    std::mt19937_64 random(extent);
    std::vector<int64_t> positions(3000), numbers(positions.size());
    for (int64_t& each : positions) each = static_cast<int64_t>(random() % 1000) * 7919 % extent;
    family().last_equal(positions.data(), std::ssize(positions), extent, numbers.data());
    for (int64_t i = 0; i < std::ssize(positions); ++i) {
      const auto from_behind = std::find(positions.rbegin(), positions.rend(), positions[i]);
      REQUIRE(numbers[i] == std::ssize(positions) - 1 - (from_behind - positions.rbegin()));
    }
    family().last_equal(positions.data(), 0, extent, numbers.data());
  }
}

TEST_CASE("an interrupt ends a sort") {
  const std::vector<double> from = make_elements<double>(1 << 20, 8, kAllBits);
  std::vector<double> to(from.size());
  std::vector<int64_t> order(from.size());
  const Rows rows{DType::kFloat64, 1, std::ssize(from)};
  const int64_t kths[] = {1 << 19};
  std::atomic<bool> flag{true};
  const InterruptScope scope(&flag);
  CHECK_THROWS_AS(family().sort(rows, from.data(), to.data()), Error);
  CHECK_THROWS_AS(family().argsort(rows, from.data(), order.data()), Error);
  CHECK_THROWS_AS(family().partition(rows, from.data(), to.data(), kths), Error);
}

}  // namespace
}  // namespace gpy::rt
