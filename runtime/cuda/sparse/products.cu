// Products of two sparse matrices. The multiplications of a row, in the order of a's and then b's
// entries, are sorted by their columns, and those of one column are added in that order: within a
// block's own memory where a row has few, else all rows' at once by a radix sort.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_reduce.cuh>

#include "runtime/cuda/sorting/steps.h"
#include "runtime/cuda/sparse/numbers.cuh"
#include "runtime/cuda/sparse/steps.h"

namespace gpy::rt::cuda {
namespace {

// --- multiplications -----------------------------------------------------------------------------

// Multiplication i of all is that of the entry of a whose first one is the last not behind i.
template <class T, class I> struct Factors {
  RowsView<T, I> a, b;
  const int64_t* starts;  // of each entry of a, and behind the last one

  struct Pair {
    int64_t first, second;  // entries
  };
  __device__ Pair pair(int64_t begin, int64_t end, int64_t i) const {
    const int64_t first = begin + last_not_greater(starts + begin, end - begin, i);
    return {first, static_cast<int64_t>(b.indptr[a.indices[first]]) + i - starts[first]};
  }
  __device__ T add_to(T sum, const Pair& of) const {
    return add_product(sum, a.data[of.first], b.data[of.second]);
  }
};

template <class I> struct LengthOfRow {
  const I *indices, *indptr;
  int64_t* to;
  __device__ void operator()(int64_t entry) const {
    const I row = indices[entry];
    to[entry] = static_cast<int64_t>(indptr[row + 1]) - indptr[row];
  }
};

template <class T, class I>
Factors<T, I> factors_of(const DeviceWork& work, const SparseRows& a, const SparseRows& b) {
  const RowsView<T, I> left(a), right(b);
  int64_t* const starts = work.room<int64_t>(a.entries + 1);
  check(cudaMemsetAsync(starts + a.entries, 0, sizeof(int64_t), work.stream()));
  work.for_each(a.entries, LengthOfRow<I>{left.indices, right.indptr, starts});
  sum_before(work, starts, a.entries + 1);
  return {left, right, starts};
}

template <class I> struct SizeOfRow {
  const I* indptr;
  const int64_t* starts;
  __host__ __device__ ProductSize operator()(int64_t row) const {
    const int64_t size = starts[indptr[row + 1]] - starts[indptr[row]];
    return {size, size};
  }
};
struct SizeOfBoth {
  __host__ __device__ ProductSize operator()(const ProductSize& a, const ProductSize& b) const {
    return {a.most > b.most ? a.most : b.most, a.all + b.all};
  }
};

// --- in a block ----------------------------------------------------------------------------------

struct ByKey {
  __device__ bool operator()(uint64_t a, uint64_t b) const { return a < b; }
};

constexpr int kSlotBits = 11;
constexpr int64_t kMostInBlock = 1 << kSlotBits;

// Rows with more than `least` multiplications, and as many as a block has places for at most.
template <int kThreads, int kItems, class T, class I> class RowInBlock {
 public:
  static constexpr int kPlaces = kThreads * kItems;
  using Sort = cub::BlockMergeSort<uint64_t, kThreads, kItems>;
  using Scan = cub::BlockScan<int, kThreads>;
  union Shared {
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
  };

  __device__ RowInBlock(const Factors<T, I>& factors, int64_t row)
      : factors_(factors), begin_(factors.a.indptr[row]), end_(factors.a.indptr[row + 1]) {
    start_ = factors.starts[begin_];
    count_ = factors.starts[end_] - start_;
  }
  __device__ int64_t count() const { return count_; }

  // Puts columns, with the numbers of their multiplications, in order.
  __device__ void sort(Shared& shared, uint64_t* sorted) const {
    uint64_t keys[kItems];
    for (int item = 0; item < kItems; ++item) {
      const int slot = static_cast<int>(threadIdx.x) * kItems + item;
      keys[item] = slot < count_ ? key(slot) : ~uint64_t{0};
    }
    Sort(shared.sort).Sort(keys, ByKey());
    for (int item = 0; item < kItems; ++item) sorted[threadIdx.x * kItems + item] = keys[item];
    __syncthreads();
  }
  __device__ bool is_first(const uint64_t* sorted, int at) const {
    return at < count_ && (at == 0 || column(sorted[at - 1]) != column(sorted[at]));
  }
  __device__ T sum_from(const uint64_t* sorted, int at) const {
    const uint64_t own = column(sorted[at]);
    T sum = {};
    for (; at < count_ && column(sorted[at]) == own; ++at) {
      sum = factors_.add_to(sum, pair(static_cast<int>(sorted[at] & (kMostInBlock - 1))));
    }
    return sum;
  }
  __device__ static uint64_t column(uint64_t key) { return key >> kSlotBits; }

 private:
  __device__ typename Factors<T, I>::Pair pair(int slot) const {
    return factors_.pair(begin_, end_, start_ + slot);
  }
  __device__ uint64_t key(int slot) const {
    return static_cast<uint64_t>(factors_.b.indices[pair(slot).second]) << kSlotBits | slot;
  }

  const Factors<T, I>& factors_;
  int64_t begin_, end_, start_, count_;
};

// Without `indices` the number of a row's columns goes to indptr[row + 1], else they are filled in.
template <int kThreads, int kItems, class T, class I>
__global__ void __launch_bounds__(kThreads)
    multiply_rows(Factors<T, I> factors, int64_t least, I* indptr, I* indices, T* data) {
  using Row = RowInBlock<kThreads, kItems, T, I>;
  __shared__ typename Row::Shared shared;
  __shared__ uint64_t sorted[Row::kPlaces];
  for (int64_t row = blockIdx.x; row < factors.a.rows; row += gridDim.x) {
    const Row own(factors, row);
    if (own.count() <= least || own.count() > Row::kPlaces) continue;
    own.sort(shared, sorted);
    const int begin = static_cast<int>(threadIdx.x) * kItems;
    int firsts = 0, before, all;
    for (int item = 0; item < kItems; ++item) firsts += own.is_first(sorted, begin + item);
    typename Row::Scan(shared.scan).ExclusiveSum(firsts, before, all);
    if (!indices) {
      if (threadIdx.x == 0) indptr[row + 1] = static_cast<I>(all);
    } else {
      int64_t to = static_cast<int64_t>(indptr[row]) + before;
      for (int item = 0; item < kItems; ++item) {
        if (!own.is_first(sorted, begin + item)) continue;
        indices[to] = static_cast<I>(Row::column(sorted[begin + item]));
        data[to++] = own.sum_from(sorted, begin + item);
      }
    }
    __syncthreads();
  }
}

template <int kThreads, int kItems, class T, class I>
void run_blocks(const DeviceWork& work, const Factors<T, I>& factors, int64_t least, int64_t most,
                I* indptr, I* indices, T* data) {
  if (most <= least) return;
  const auto blocks = static_cast<unsigned>(std::min(factors.a.rows, kMostBlocks));
  multiply_rows<kThreads, kItems>
      <<<blocks, kThreads, 0, work.stream()>>>(factors, least, indptr, indices, data);
  check(cudaGetLastError());
}

template <class T, class I>
void multiply_in_blocks(const DeviceWork& work, const Factors<T, I>& factors, int64_t most,
                        I* indptr, I* indices, T* data) {
  run_blocks<32, 4>(work, factors, 0, most, indptr, indices, data);
  run_blocks<128, 4>(work, factors, 128, most, indptr, indices, data);
  run_blocks<256, 8>(work, factors, 512, most, indptr, indices, data);
}

// --- all at once ---------------------------------------------------------------------------------

template <class T, class I> struct KeyOfProduct {
  Factors<T, I> factors;
  const I* rows;  // of a's entries
  int column_bits;
  uint64_t* keys;
  __device__ void operator()(int64_t i) const {
    const auto pair = factors.pair(0, factors.a.entries, i);
    keys[i] = static_cast<uint64_t>(rows[pair.first]) << column_bits |
              static_cast<uint64_t>(factors.b.indices[pair.second]);
  }
};

struct FirstOfPlace {
  const uint64_t* sorted;
  __device__ bool operator()(int64_t i) const { return i == 0 || sorted[i - 1] != sorted[i]; }
};
template <class I> struct CountFirst {
  FirstOfPlace is_first;
  int column_bits;
  I* counts;
  __device__ void operator()(int64_t i) const {
    if (is_first(i)) atomicAdd(counter(is_first.sorted[i] >> column_bits), 1);
  }
  __device__ auto* counter(uint64_t row) const {
    using Word = std::conditional_t<sizeof(I) == 8, unsigned long long, unsigned>;
    return reinterpret_cast<Word*>(counts + row);
  }
};
struct MarkFirst {
  FirstOfPlace is_first;
  int64_t* marks;
  __device__ void operator()(int64_t i) const { marks[i] = is_first(i); }
};
template <class T, class I> struct SumPlace {
  Factors<T, I> factors;
  int64_t count;
  FirstOfPlace is_first;
  const uint64_t* order;
  const int64_t* places;
  int column_bits;
  I* indices;
  T* data;
  __device__ void operator()(int64_t i) const {
    if (!is_first(i)) return;
    const uint64_t key = is_first.sorted[i];
    T sum = {};
    for (int64_t at = i; at < count && is_first.sorted[at] == key; ++at) {
      const auto number = static_cast<int64_t>(order[at]);
      sum = factors.add_to(sum, factors.pair(0, factors.a.entries, number));
    }
    indices[places[i]] = static_cast<I>(key & ((uint64_t{1} << column_bits) - 1));
    data[places[i]] = sum;
  }
};

template <class T, class I>
void multiply_at_once(const DeviceWork& work, const Factors<T, I>& factors, int64_t count,
                      I* indptr, I* indices, T* data) {
  const int column_bits = bits_below(factors.b.columns),
            bits = column_bits + bits_below(factors.a.rows);
  if (bits > 64) throw Failure{cudaErrorNotSupported};
  auto *const keys = work.room<uint64_t>(count), *const sorted = work.room<uint64_t>(count);
  const I* const rows = rows_of_entries(work, factors.a);
  work.for_each(count, KeyOfProduct<T, I>{factors, rows, column_bits, keys});
  const uint64_t* const order = order_of_keys(work, count, bits, keys, sorted);
  if (!indices) {
    return work.for_each(count, CountFirst<I>{{sorted}, column_bits, indptr + 1});
  }
  int64_t* const places = work.room<int64_t>(count);
  work.for_each(count, MarkFirst{{sorted}, places});
  sum_before(work, places, count);
  work.for_each(
      count, SumPlace<T, I>{factors, count, {sorted}, order, places, column_bits, indices, data});
}

// --- both ----------------------------------------------------------------------------------------

template <class T, class I>
void multiply(const DeviceWork& work, const Factors<T, I>& factors, const ProductSize& size,
              I* indptr, I* indices, T* data) {
  if (size.most <= kMostInBlock) {
    multiply_in_blocks(work, factors, size.most, indptr, indices, data);
  } else {
    multiply_at_once(work, factors, size.all, indptr, indices, data);
  }
}

template <class I> struct Wide {
  const I* counts;
  __host__ __device__ int64_t operator()(int64_t i) const { return counts[i]; }
};
template <class F> auto numbers_from(F f) {
  return thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), f);
}

}  // namespace

void measure_product(const DeviceWork& work, const SparseRows& a, const SparseRows& b,
                     ProductSize* size) {
  with_index(a, [&](auto index) {
    using I = decltype(index);
    const auto factors = factors_of<uint64_t, I>(work, a, b);
    work.run([&](void* room, size_t& bytes) {
      return cub::DeviceReduce::Reduce(
          room, bytes, numbers_from(SizeOfRow<I>{factors.a.indptr, factors.starts}), size, a.rows,
          SizeOfBoth(), ProductSize{0, 0}, work.stream());
    });
  });
}

void count_product(const DeviceWork& work, const SparseRows& a, const SparseRows& b,
                   const ProductSize& size, void* indptr, int64_t* total) {
  with_index(a, [&](auto index) {
    using I = decltype(index);
    I* const ends = static_cast<I*>(indptr);
    check(cudaMemsetAsync(ends, 0, (a.rows + 1) * sizeof(I), work.stream()));
    multiply<uint64_t, I>(work, factors_of<uint64_t, I>(work, a, b), size, ends, nullptr, nullptr);
    work.run([&](void* room, size_t& bytes) {
      return cub::DeviceReduce::Sum(room, bytes, numbers_from(Wide<I>{ends}), total, a.rows + 1,
                                    work.stream());
    });
    work.run([&](void* room, size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(room, bytes, ends, ends, a.rows + 1, work.stream());
    });
  });
}

void fill_product(const DeviceWork& work, const SparseRows& a, const SparseRows& b,
                  const ProductSize& size, const void* indptr, void* indices, void* data) {
  with_number(a, [&](auto number, auto index) {
    using T = decltype(number);
    using I = decltype(index);
    // The ends are only read where there are places to fill.
    multiply<T, I>(work, factors_of<T, I>(work, a, b), size,
                   static_cast<I*>(const_cast<void*>(indptr)), static_cast<I*>(indices),
                   static_cast<T*>(data));
  });
}

}  // namespace gpy::rt::cuda
