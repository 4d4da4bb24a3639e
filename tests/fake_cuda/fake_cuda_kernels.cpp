// The sort and sparse families of a device that computes nothing: all numbers and flags in its
// results are 0.
#include <cstring>
#include <iterator>

#include "fake_cuda.h"
#include "runtime/cuda/sorting/table.h"
#include "runtime/cuda/sparse/table.h"

namespace gpy::rt::cuda {
namespace {

constexpr int kOutOfMemory = 2;

// Writes zeros to the results; a call takes a workspace as the real ones do.
int write_zeros(const char* function, const DeviceCall& call, void* to, size_t bytes) {
  if (const int code = fake_cuda_enter(function)) return code;
  if (!call.lend(call.owner, 64)) return kOutOfMemory;
  if (bytes > 0) std::memset(to, 0, bytes);
  return 0;
}

size_t bytes_of(int64_t count) { return static_cast<size_t>(count) * sizeof(int64_t); }

constexpr SortingTable kSorting = {
    .version = SortingTable::kVersion,
    .start = [] { return fake_cuda_enter("sorting start"); },
    .sort =
        [](const DeviceCall& call, const Rows& rows, const void*, void* to) {
          const int64_t size = rows.dtype.item_size();
          return write_zeros("sort", call, to, rows.count * rows.length * size);
        },
    .argsort =
        [](const DeviceCall& call, const Rows& rows, const void*, int64_t* order) {
          return write_zeros("argsort", call, order, bytes_of(rows.count * rows.length));
        },
    .mark_runs = [](const DeviceCall& call, DType, const void*, int64_t count,
                    uint8_t* firsts) { return write_zeros("mark_runs", call, firsts, count); },
    .number_runs =
        [](const DeviceCall& call, const uint8_t*, const int64_t*, int64_t count,
           int64_t* numbers) { return write_zeros("number_runs", call, numbers, bytes_of(count)); },
    .search =
        [](const DeviceCall& call, DType, const void*, int64_t, const void*, int64_t count, Side,
           int64_t* positions) { return write_zeros("search", call, positions, bytes_of(count)); },
    .contains = [](const DeviceCall& call, DType, const void*, int64_t, const void*, int64_t count,
                   bool* found) { return write_zeros("contains", call, found, count); },
    .interpolate =
        [](const DeviceCall& call, const Knots&, const double*, int64_t count, double* to) {
          return write_zeros("interpolate", call, to, count * sizeof(double));
        },
    .extremes =
        [](const DeviceCall& call, const int64_t*, int64_t, Extremes* found) {
          return write_zeros("extremes", call, found, sizeof(Extremes));
        },
    .count_values =
        [](const DeviceCall& call, const int64_t*, int64_t, int64_t bins, const Tally& tally) {
          return write_zeros("count_values", call, tally.totals, bytes_of(bins));
        },
    .count_between =
        [](const DeviceCall& call, DType, const void*, int64_t, const void*, int64_t bins,
           const Tally& tally) {
          return write_zeros("count_between", call, tally.totals, bytes_of(bins));
        },
    .combine = [](const DeviceCall& call,
                  const Scattered&) { return write_zeros("combine", call, nullptr, 0); },
    .last_equal =
        [](const DeviceCall& call, const int64_t*, int64_t count, int64_t, int64_t* numbers) {
          return write_zeros("last_equal", call, numbers, bytes_of(count));
        },
    .put_last = [](const DeviceCall& call, const int64_t*, int64_t, int64_t, const void*, int64_t,
                   void*) { return write_zeros("put_last", call, nullptr, 0); },
    .count_set =
        [](const DeviceCall& call, const uint8_t*, int64_t, int64_t* chosen) {
          return write_zeros("count_set", call, chosen, sizeof(int64_t));
        },
    .positions_set = [](const DeviceCall& call, const uint8_t*, int64_t,
                        int64_t* to) { return write_zeros("positions_set", call, to, 0); },
    .repeat = [](const DeviceCall& call, const void*, int64_t, int64_t size, const int64_t*, bool,
                 int64_t total, void* to) { return write_zeros("repeat", call, to, size * total); },
    .select_set = [](const DeviceCall& call, const uint8_t*, int64_t, int64_t chosen, const void*,
                     int64_t size,
                     void* to) { return write_zeros("select_set", call, to, size * chosen); },
};

// Zeros for a matrix's entries, and for the numbers beside each.
int write_entries(const char* function, const DeviceCall& call, const SparseRows& matrix,
                  void* indices, void* data) {
  if (data) std::memset(data, 0, matrix.entries * item_size(matrix.dtype));
  return write_zeros(function, call, indices, matrix.entries * item_size(matrix.index));
}

constexpr SparseTable kSparse = {
    .version = SparseTable::kVersion,
    .start = [] { return fake_cuda_enter("sparse start"); },
    .times_dense =
        [](const DeviceCall& call, const SparseRows& matrix, const void*, int64_t width,
           void* out) {
          return write_zeros("times_dense", call, out,
                             matrix.rows * width * item_size(matrix.dtype));
        },
    .diagonal =
        [](const DeviceCall& call, const SparseRows& matrix, int64_t k, void* out) {
          const int64_t length = diagonal_length(matrix.rows, matrix.columns, k);
          return write_zeros("diagonal", call, out, length * item_size(matrix.dtype));
        },
    .measure_product =
        [](const DeviceCall& call, const SparseRows&, const SparseRows&, ProductSize* size) {
          return write_zeros("measure_product", call, size, sizeof(ProductSize));
        },
    .count_product =
        [](const DeviceCall& call, const SparseRows& a, const SparseRows&, const ProductSize&,
           void* indptr, int64_t* total) {
          *total = 0;
          return write_zeros("count_product", call, indptr, (a.rows + 1) * item_size(a.index));
        },
    .fill_product = [](const DeviceCall& call, const SparseRows&, const SparseRows&,
                       const ProductSize&, const void*, void*,
                       void*) { return write_zeros("fill_product", call, nullptr, 0); },
    .turn =
        [](const DeviceCall& call, const SparseRows& matrix, void* indptr, void* indices,
           void* data) {
          std::memset(indptr, 0, (matrix.columns + 1) * item_size(matrix.index));
          return write_entries("turn", call, matrix, indices, data);
        },
    .sort = [](const DeviceCall& call, const SparseRows& matrix, void* indices,
               void* data) { return write_entries("sort", call, matrix, indices, data); },
    .count_union =
        [](const DeviceCall& call, const SparseRows& a, const SparseRows&, void* indptr,
           int64_t* total) {
          *total = 0;
          return write_zeros("count_union", call, indptr, (a.rows + 1) * item_size(a.index));
        },
    .fill_union = [](const DeviceCall& call, const SparseRows&, const SparseRows&, void*, void*,
                     void*) { return write_zeros("fill_union", call, nullptr, 0); },
};

}  // namespace
}  // namespace gpy::rt::cuda

extern "C" __attribute__((visibility("default"))) const gpy::rt::cuda::SortingTable*
gpy_cuda_sorting() {
  return &gpy::rt::cuda::kSorting;
}

extern "C" __attribute__((visibility("default"))) const gpy::rt::cuda::SparseTable*
gpy_cuda_sparse() {
  return &gpy::rt::cuda::kSparse;
}
