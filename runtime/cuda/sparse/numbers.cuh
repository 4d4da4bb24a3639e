#pragma once

// The numbers of sparse products.

#include "runtime/cuda/sparse/rows.cuh"

namespace gpy::rt::cuda {

template <class F> struct ComplexNumber { F real, imag; };

template <class T> __device__ T add(T a, T b) { return a + b; }
template <class F> __device__ ComplexNumber<F> add(ComplexNumber<F> a, ComplexNumber<F> b) {
  return {a.real + b.real, a.imag + b.imag};
}
// The plain formula, as on the host.
template <class T> __device__ T add_product(T sum, T a, T b) { return sum + a * b; }
template <class F>
__device__ ComplexNumber<F> add_product(ComplexNumber<F> sum, ComplexNumber<F> a,
                                        ComplexNumber<F> b) {
  return {sum.real + (a.real * b.real - a.imag * b.imag),
          sum.imag + (a.real * b.imag + a.imag * b.real)};
}
template <class T> __device__ T from_lane(T a, int step) {
  return __shfl_down_sync(0xffffffffu, a, step);
}
template <class F> __device__ ComplexNumber<F> from_lane(ComplexNumber<F> a, int step) {
  return {from_lane(a.real, step), from_lane(a.imag, step)};
}

// Calls body(T(), I()). Integers wrap around.
template <class Body> void with_number(const SparseRows& matrix, Body&& body) {
  with_index(matrix, [&](auto index) {
    if (matrix.dtype == DType::kFloat64) return body(double(), index);
    if (matrix.dtype == DType::kFloat32) return body(float(), index);
    if (matrix.dtype == DType::kComplex128) return body(ComplexNumber<double>(), index);
    if (matrix.dtype == DType::kComplex64) return body(ComplexNumber<float>(), index);
    body(uint64_t(), index);
  });
}

}  // namespace gpy::rt::cuda
