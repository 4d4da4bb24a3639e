#include "runtime/cpu/sorting/cpu_sorting.h"

#include <cstring>

#include "runtime/core/interrupt.h"
#include "runtime/cpu/sorting/choosing.h"
#include "runtime/cpu/sorting/combining.h"
#include "runtime/cpu/sorting/counting.h"
#include "runtime/cpu/sorting/elements.h"
#include "runtime/cpu/sorting/repeating.h"
#include "runtime/cpu/sorting/row_work.h"
#include "runtime/cpu/sorting/searching.h"

namespace gpy::rt {
namespace {

class CpuSorting final : public Sorting {
 public:
  CpuSorting(Backend& memory, ThreadPool& threads) : at_{memory, threads} {}

  void sort(const Rows& rows, const void* from, void* to) override {
    sort_rows(at_, rows, from, to);
  }
  void argsort(const Rows& rows, const void* from, int64_t* order) override {
    argsort_rows(at_, rows, from, order);
  }
  void partition(const Rows& rows, const void* from, void* to,
                 std::span<const int64_t> kths) override {
    partition_rows(at_, rows, from, to, kths);
  }
  void argpartition(const Rows& rows, const void* from, int64_t* order,
                    std::span<const int64_t> kths) override {
    argpartition_rows(at_, rows, from, order, kths);
  }

  void mark_runs(DType dtype, const void* sorted, int64_t count, uint8_t* firsts) override;
  void number_runs(const uint8_t* firsts, const int64_t* order, int64_t count,
                   int64_t* numbers) override {
    write_run_numbers(at_.threads, firsts, order, count, numbers);
  }

  void search(DType dtype, const void* sorted, int64_t length, const void* values, int64_t count,
              Side side, int64_t* positions) override {
    search_sorted(at_, dtype, sorted, length, values, count, side, positions);
  }
  void contains(DType dtype, const void* set, int64_t length, const void* values, int64_t count,
                bool* found) override {
    find_contained(at_, dtype, set, length, values, count, found);
  }

  void interpolate(const Knots& knots, const double* values, int64_t count, double* to) override {
    interpolate_at(at_, knots, values, count, to);
  }

  Extremes extremes(const int64_t* values, int64_t count) override {
    return extremes_of(at_.threads, values, count);
  }
  void count_values(const int64_t* values, int64_t count, int64_t bins,
                    const Tally& tally) override {
    count_values_in(at_, values, count, bins, tally);
  }
  void count_between(DType dtype, const void* values, int64_t count, const void* edges,
                     int64_t bins, const Tally& tally) override {
    count_between_edges(at_, dtype, values, count, edges, bins, tally);
  }

  void combine(const Scattered& scattered) override { combine_in_order(scattered); }
  void last_equal(const int64_t* positions, int64_t count, int64_t extent,
                  int64_t* numbers) override;
  void put_last(const int64_t* positions, int64_t count, int64_t extent, const void* values,
                int64_t size, void* to) override;

  int64_t count_set(const uint8_t* flags, int64_t count) override {
    return count_flags(at_.threads, flags, count);
  }
  void positions_set(const uint8_t* flags, int64_t count, int64_t chosen, int64_t* to) override {
    write_positions(at_.threads, flags, count, chosen, to);
  }
  void repeat(const void* elements, int64_t count, int64_t size, std::span<const int64_t> times,
              void* to) override {
    write_repeated(at_.threads, elements, count, size, times, to);
  }
  void select_set(const uint8_t* flags, int64_t count, int64_t chosen, const void* elements,
                  int64_t size, void* to) override {
    write_chosen(at_.threads, flags, count, chosen, elements, size, to);
  }

 private:
  void last_equal_by_order(const int64_t* positions, int64_t count, int64_t* numbers);

  Workplace at_;
};

template <class F> bool has_nan(const std::complex<F>& z) {
  return std::isnan(z.real()) || std::isnan(z.imag());
}

template <class T> void mark_piece(const T* sorted, int64_t count, uint8_t* firsts) {
  if constexpr (kIsComplex<T>) {
    for (int64_t i = 1; i < count; ++i) {
      const T &a = sorted[i - 1], &b = sorted[i];
      firsts[i] = comes_before(a, b) && !(has_nan(a) && has_nan(b));
    }
  } else {
    element_loops<T>().mark_runs(sorted, count, firsts);
  }
}

void CpuSorting::mark_runs(DType dtype, const void* sorted, int64_t count, uint8_t* firsts) {
  if (count == 0) return;
  firsts[0] = 1;
  with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    const T* const elements = static_cast<const T*>(sorted);
    in_pieces(&at_.threads, count - 1, [&](int64_t begin, int64_t end) {
      mark_piece(elements + begin, end - begin + 1, firsts + begin);
    });
  });
}

void CpuSorting::last_equal_by_order(const int64_t* positions, int64_t count, int64_t* numbers) {
  const Ref<Buffer> room = at_.memory.allocate(count * sizeof(int64_t));
  int64_t* const order = static_cast<int64_t*>(room->data());
  argsort({DType::kInt64, 1, count}, positions, order);
  int64_t last = order[count - 1];
  for_each_polled(count, [&](int64_t i) {
    const int64_t number = order[count - 1 - i];
    if (positions[number] != positions[last]) last = number;
    numbers[number] = last;
  });
}

// Uses a table of all positions where these are few beside the values, else a sort.
void CpuSorting::last_equal(const int64_t* positions, int64_t count, int64_t extent,
                            int64_t* numbers) {
  if (count == 0) return;
  if (!has_place_for_each(count, extent)) return last_equal_by_order(positions, count, numbers);
  const Ref<Buffer> room = at_.memory.allocate(extent * sizeof(int64_t));
  int64_t* const last = static_cast<int64_t*>(room->data());
  for_each_polled(count, [&](int64_t i) { last[positions[i]] = i; });
  for_each_polled(count, [&](int64_t i) { numbers[i] = last[positions[i]]; });
}

void CpuSorting::put_last(const int64_t* positions, int64_t count, int64_t, const void* values,
                          int64_t size, void* to) {
  const auto* const from = static_cast<const std::byte*>(values);
  auto* const elements = static_cast<std::byte*>(to);
  for_each_polled(count, [&](int64_t i) {
    std::memcpy(elements + positions[i] * size, from + i * size, size);
  });
}

}  // namespace

std::unique_ptr<Sorting> make_cpu_sorting(Backend& memory, ThreadPool& threads) {
  return std::make_unique<CpuSorting>(memory, threads);
}

}  // namespace gpy::rt
