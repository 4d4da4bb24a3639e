#include "runtime/cuda/sorting/cuda_sorting.h"

#include <exception>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/cuda/libraries.h"
#include "runtime/cuda/sorting/table.h"

namespace gpy::rt::cuda {
namespace {

// Lends the workspaces of one call. No exception passes through the library.
class Lender {
 public:
  explicit Lender(Backend& backend) : backend_(backend) {}

  static void* lend(void* self, size_t bytes) noexcept {
    Lender& lender = *static_cast<Lender*>(self);
    try {
      lender.lent_.push_back(lender.backend_.allocate(bytes));
      return lender.lent_.back()->data();
    } catch (...) {
      lender.error_ = std::current_exception();
      return nullptr;
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  Backend& backend_;
  std::vector<Ref<Buffer>> lent_;
  std::exception_ptr error_;
};

class CudaSorting final : public Sorting {
 public:
  CudaSorting(Context& context, Backend& backend, const SortingTable& table)
      : context_(context), backend_(backend), table_(table) {}

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
  Extremes extremes(const int64_t* values, int64_t count) override;
  void count_values(const int64_t* values, int64_t count, int64_t bins,
                    const Tally& tally) override;
  void count_between(DType dtype, const void* values, int64_t count, const void* edges,
                     int64_t bins, const Tally& tally) override;
  void combine(const Scattered& scattered) override;
  void last_equal(const int64_t* positions, int64_t count, int64_t extent,
                  int64_t* numbers) override;
  int64_t count_set(const uint8_t* flags, int64_t count) override;
  void positions_set(const uint8_t* flags, int64_t count, int64_t chosen, int64_t* to) override;
  void repeat(const void* elements, int64_t count, int64_t size, std::span<const int64_t> times,
              void* to) override;
  void select_set(const uint8_t* flags, int64_t count, int64_t chosen, const void* elements,
                  int64_t size, void* to) override;

 private:
  // Calls function(call, arguments...) and throws its failure as the driver's own.
  template <class... Parameters, class... Arguments>
  void call(const char* name, int (*function)(const DeviceCall&, Parameters...),
            Arguments&&... arguments) {
    const std::lock_guard lock(mutex_);
    const Context::Scope scope(context_);
    Lender lender(backend_);
    const int code = function({context_.stream(), &lender, Lender::lend}, arguments...);
    lender.rethrow();
    context_.check(static_cast<CUresult>(code), name);
    ++backend_.counters.library_calls;
  }
  // The value that find(T* on the device) writes.
  template <class T, class Find> T found(Find&& find) {
    const Ref<Buffer> place = backend_.allocate(sizeof(T));
    find(static_cast<T*>(place->data()));
    T value;
    backend_.download(&value, place->data(), sizeof(T));
    return value;
  }

  Context& context_;
  Backend& backend_;
  const SortingTable& table_;
  ForkSafe<std::mutex> mutex_;
};

void CudaSorting::sort(const Rows& rows, const void* from, void* to) {
  call("sort", table_.sort, rows, from, to);
}

void CudaSorting::argsort(const Rows& rows, const void* from, int64_t* order) {
  call("argsort", table_.argsort, rows, from, order);
}

void CudaSorting::mark_runs(DType dtype, const void* sorted, int64_t count, uint8_t* firsts) {
  call("mark_runs", table_.mark_runs, dtype, sorted, count, firsts);
}

void CudaSorting::number_runs(const uint8_t* firsts, const int64_t* order, int64_t count,
                              int64_t* numbers) {
  call("number_runs", table_.number_runs, firsts, order, count, numbers);
}

void CudaSorting::search(DType dtype, const void* sorted, int64_t length, const void* values,
                         int64_t count, Side side, int64_t* positions) {
  call("search", table_.search, dtype, sorted, length, values, count, side, positions);
}

void CudaSorting::contains(DType dtype, const void* set, int64_t length, const void* values,
                           int64_t count, bool* found) {
  call("contains", table_.contains, dtype, set, length, values, count, found);
}

Extremes CudaSorting::extremes(const int64_t* values, int64_t count) {
  return found<Extremes>(
      [&](Extremes* to) { call("extremes", table_.extremes, values, count, to); });
}

void CudaSorting::count_values(const int64_t* values, int64_t count, int64_t bins,
                               const Tally& tally) {
  call("count_values", table_.count_values, values, count, bins, tally);
}

void CudaSorting::count_between(DType dtype, const void* values, int64_t count, const void* edges,
                                int64_t bins, const Tally& tally) {
  call("count_between", table_.count_between, dtype, values, count, edges, bins, tally);
}

void CudaSorting::combine(const Scattered& scattered) {
  call("combine", table_.combine, scattered);
}

void CudaSorting::last_equal(const int64_t* positions, int64_t count, int64_t extent,
                             int64_t* numbers) {
  call("last_equal", table_.last_equal, positions, count, extent, numbers);
}

int64_t CudaSorting::count_set(const uint8_t* flags, int64_t count) {
  return found<int64_t>(
      [&](int64_t* to) { call("count_set", table_.count_set, flags, count, to); });
}

void CudaSorting::positions_set(const uint8_t* flags, int64_t count, int64_t, int64_t* to) {
  call("positions_set", table_.positions_set, flags, count, to);
}

void CudaSorting::repeat(const void* elements, int64_t count, int64_t size,
                         std::span<const int64_t> times, void* to) {
  int64_t total = 0;
  for (const int64_t each : times) total += each;
  if (times.size() == 1) total *= count;
  const Ref<Buffer> there = backend_.allocate(times.size_bytes());
  backend_.upload(there->data(), times.data(), times.size_bytes());
  call("repeat", table_.repeat, elements, count, size, static_cast<const int64_t*>(there->data()),
       times.size() == 1, total, to);
}

void CudaSorting::select_set(const uint8_t* flags, int64_t count, int64_t chosen,
                             const void* elements, int64_t size, void* to) {
  call("select_set", table_.select_set, flags, count, chosen, elements, size, to);
}

}  // namespace

std::unique_ptr<Sorting> make_cuda_sorting(Context& context, Backend& backend) {
  const Context::Scope scope(context);
  const SharedLibrary library = open_own_library("libgpy_cuda_sorting.so");
  if (!library.handle) return nullptr;
  decltype(&::gpy_cuda_sorting) table_of;
  if (!load_symbol(library.handle, "gpy_cuda_sorting", table_of)) return nullptr;
  const SortingTable& table = *table_of();
  if (table.version != SortingTable::kVersion || table.start() != 0) return nullptr;
  return std::make_unique<CudaSorting>(context, backend, table);
}

}  // namespace gpy::rt::cuda
