#include "runtime/cuda/sorting/cuda_sorting.h"

#include "runtime/cuda/ahead/kernel_library.h"
#include "runtime/cuda/sorting/table.h"

namespace gpy::rt::cuda {
namespace {

class CudaSorting final : public Sorting {
 public:
  CudaSorting(Context& context, Backend& backend, const SortingTable& table)
      : backend_(backend), calls_(context, backend), table_(table) {}

  void sort(const Rows& rows, const void* from, void* to) override;
  void argsort(const Rows& rows, const void* from, int64_t* order) override;
  void partition(const Rows& rows, const void* from, void* to, std::span<const int64_t>) override {
    sort(rows, from, to);
  }
  void argpartition(const Rows& rows, const void* from, int64_t* order,
                    std::span<const int64_t>) override {
    argsort(rows, from, order);
  }
  void mark_runs(DType dtype, const void* sorted, int64_t count, uint8_t* firsts) override;
  void number_runs(const uint8_t* firsts, const int64_t* order, int64_t count,
                   int64_t* numbers) override;
  void search(DType dtype, const void* sorted, int64_t length, const void* values, int64_t count,
              Side side, int64_t* positions) override;
  void contains(DType dtype, const void* set, int64_t length, const void* values, int64_t count,
                bool* found) override;
  void interpolate(const Knots& knots, const double* values, int64_t count, double* to) override;
  Extremes extremes(const int64_t* values, int64_t count) override;
  void count_values(const int64_t* values, int64_t count, int64_t bins,
                    const Tally& tally) override;
  void count_between(DType dtype, const void* values, int64_t count, const void* edges,
                     int64_t bins, const Tally& tally) override;
  void combine(const Scattered& scattered) override;
  void last_equal(const int64_t* positions, int64_t count, int64_t extent,
                  int64_t* numbers) override;
  void put_last(const int64_t* positions, int64_t count, int64_t extent, const void* values,
                int64_t size, void* to) override;
  int64_t count_set(const uint8_t* flags, int64_t count) override;
  void positions_set(const uint8_t* flags, int64_t count, int64_t chosen, int64_t* to) override;
  void repeat(const void* elements, int64_t count, int64_t size, std::span<const int64_t> times,
              void* to) override;
  void select_set(const uint8_t* flags, int64_t count, int64_t chosen, const void* elements,
                  int64_t size, void* to) override;

 private:
  Backend& backend_;
  KernelCalls calls_;
  const SortingTable& table_;
};

void CudaSorting::sort(const Rows& rows, const void* from, void* to) {
  calls_.call("sort", table_.sort, rows, from, to);
}

void CudaSorting::argsort(const Rows& rows, const void* from, int64_t* order) {
  calls_.call("argsort", table_.argsort, rows, from, order);
}

void CudaSorting::mark_runs(DType dtype, const void* sorted, int64_t count, uint8_t* firsts) {
  calls_.call("mark_runs", table_.mark_runs, dtype, sorted, count, firsts);
}

void CudaSorting::number_runs(const uint8_t* firsts, const int64_t* order, int64_t count,
                              int64_t* numbers) {
  calls_.call("number_runs", table_.number_runs, firsts, order, count, numbers);
}

void CudaSorting::search(DType dtype, const void* sorted, int64_t length, const void* values,
                         int64_t count, Side side, int64_t* positions) {
  calls_.call("search", table_.search, dtype, sorted, length, values, count, side, positions);
}

void CudaSorting::contains(DType dtype, const void* set, int64_t length, const void* values,
                           int64_t count, bool* found) {
  calls_.call("contains", table_.contains, dtype, set, length, values, count, found);
}

void CudaSorting::interpolate(const Knots& knots, const double* values, int64_t count, double* to) {
  calls_.call("interpolate", table_.interpolate, knots, values, count, to);
}

Extremes CudaSorting::extremes(const int64_t* values, int64_t count) {
  return calls_.found<Extremes>(
      [&](Extremes* to) { calls_.call("extremes", table_.extremes, values, count, to); });
}

void CudaSorting::count_values(const int64_t* values, int64_t count, int64_t bins,
                               const Tally& tally) {
  calls_.call("count_values", table_.count_values, values, count, bins, tally);
}

void CudaSorting::count_between(DType dtype, const void* values, int64_t count, const void* edges,
                                int64_t bins, const Tally& tally) {
  calls_.call("count_between", table_.count_between, dtype, values, count, edges, bins, tally);
}

void CudaSorting::combine(const Scattered& scattered) {
  calls_.call("combine", table_.combine, scattered);
}

void CudaSorting::last_equal(const int64_t* positions, int64_t count, int64_t extent,
                             int64_t* numbers) {
  calls_.call("last_equal", table_.last_equal, positions, count, extent, numbers);
}

void CudaSorting::put_last(const int64_t* positions, int64_t count, int64_t extent,
                           const void* values, int64_t size, void* to) {
  calls_.call("put_last", table_.put_last, positions, count, extent, values, size, to);
}

int64_t CudaSorting::count_set(const uint8_t* flags, int64_t count) {
  return calls_.found<int64_t>(
      [&](int64_t* to) { calls_.call("count_set", table_.count_set, flags, count, to); });
}

void CudaSorting::positions_set(const uint8_t* flags, int64_t count, int64_t, int64_t* to) {
  calls_.call("positions_set", table_.positions_set, flags, count, to);
}

void CudaSorting::repeat(const void* elements, int64_t count, int64_t size,
                         std::span<const int64_t> times, void* to) {
  int64_t total = 0;
  for (const int64_t each : times) total += each;
  if (times.size() == 1) total *= count;
  const Ref<Buffer> there = backend_.allocate(times.size_bytes());
  backend_.upload(there->data(), times.data(), times.size_bytes());
  calls_.call("repeat", table_.repeat, elements, count, size,
              static_cast<const int64_t*>(there->data()), times.size() == 1, total, to);
}

void CudaSorting::select_set(const uint8_t* flags, int64_t count, int64_t chosen,
                             const void* elements, int64_t size, void* to) {
  calls_.call("select_set", table_.select_set, flags, count, chosen, elements, size, to);
}

}  // namespace

std::unique_ptr<Sorting> make_cuda_sorting(Context& context, Backend& backend) {
  const auto* table = open_kernel_table<SortingTable>(context, "gpy_cuda_sorting");
  return table ? std::make_unique<CudaSorting>(context, backend, *table) : nullptr;
}

}  // namespace gpy::rt::cuda
