#include "runtime/cuda/sparse/numbers.cuh"
#include "runtime/cuda/sparse/steps.h"

namespace gpy::rt::cuda {
namespace {

// `lanes` neighbouring threads share a row, and add what they have in pairs.
template <class T, class I>
__global__ void times_vector(RowsView<T, I> a, const T* dense, T* out, int lanes) {
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const int64_t step = int64_t{gridDim.x} * blockDim.x / lanes;
  const int64_t rows = (a.rows + kBlockThreads - 1) / kBlockThreads * kBlockThreads;
  for (int64_t row = (int64_t{blockIdx.x} * blockDim.x + threadIdx.x) / lanes; row < rows;
       row += step) {
    T sum = {};
    const int64_t begin = row < a.rows ? a.indptr[row] : 0,
                  end = row < a.rows ? a.indptr[row + 1] : 0;
    if (begin >= 0 && end <= a.entries) {
      for (int64_t i = begin + lane; i < end; i += lanes) {
        sum = add_product(sum, a.data[i], dense[a.indices[i]]);
      }
    }
    for (int half = lanes / 2; half > 0; half /= 2) sum = add(sum, from_lane(sum, half));
    if (row < a.rows && lane == 0) out[row] = sum;
  }
}

template <class T, class I> struct TimesDense {
  RowsView<T, I> a;
  const T* dense;
  int64_t width;
  T* out;
  __device__ void operator()(int64_t i) const {
    const int64_t row = i / width, place = i % width;
    const int64_t begin = a.indptr[row], end = a.indptr[row + 1];
    T sum = {};
    if (begin >= 0 && end <= a.entries) {
      for (int64_t entry = begin; entry < end; ++entry) {
        sum = add_product(sum, a.data[entry], dense[a.indices[entry] * width + place]);
      }
    }
    out[i] = sum;
  }
};

template <class T, class I> struct Diagonal {
  RowsView<T, I> a;
  int64_t k, first;
  T* out;
  __device__ void operator()(int64_t i) const {
    const int64_t row = first + i, begin = a.indptr[row], end = a.indptr[row + 1];
    T sum = {};
    if (begin >= 0 && end <= a.entries) {
      for (int64_t entry = begin; entry < end; ++entry) {
        if (a.indices[entry] == row + k) sum = add(sum, a.data[entry]);
      }
    }
    out[i] = sum;
  }
};

// As many threads share a row as it has entries on average, at most a warp.
int lanes_for(const SparseRows& matrix) {
  int lanes = 1;
  while (lanes < 32 && 2 * lanes * matrix.rows <= matrix.entries) lanes *= 2;
  return lanes;
}

}  // namespace

void times_dense(const DeviceWork& work, const SparseRows& matrix, const void* dense, int64_t width,
                 void* out) {
  with_number(matrix, [&](auto number, auto index) {
    using T = decltype(number);
    const RowsView<T, decltype(index)> a(matrix);
    const T* const from = static_cast<const T*>(dense);
    T* const to = static_cast<T*>(out);
    if (width != 1)
      return work.for_each(a.rows * width, TimesDense<T, decltype(index)>{a, from, width, to});
    if (a.rows == 0) return;
    const int lanes = lanes_for(matrix);
    times_vector<<<blocks_for(a.rows * lanes), kBlockThreads, 0, work.stream()>>>(a, from, to,
                                                                                  lanes);
    check(cudaGetLastError());
  });
}

void diagonal(const DeviceWork& work, const SparseRows& matrix, int64_t k, void* out) {
  with_number(matrix, [&](auto number, auto index) {
    using T = decltype(number);
    using I = decltype(index);
    work.for_each(
        diagonal_length(matrix.rows, matrix.columns, k),
        Diagonal<T, I>{RowsView<T, I>(matrix), k, std::max<int64_t>(-k, 0), static_cast<T*>(out)});
  });
}

}  // namespace gpy::rt::cuda
