#include "runtime/kernel/index_text.h"

namespace gpy::rt {

// `x[i]`, by position in C order, is the pointer's own operator, so that the access belongs to the
// user's line; raw arrays are dense. Arrays of no extents have one, which is not used.
std::string_view index_text() {
  return R"GPY(
template <class T, int N> struct _gpy_raw {
  static const int ndim = N;
  T* data;
  long long count, extents[N ? N : 1], steps[N ? N : 1];
  __host__ __device__ operator T*() const { return data; }
  __host__ __device__ long long size() const { return count; }
  __host__ __device__ const long long* shape() const { return extents; }
  __host__ __device__ const long long* strides() const { return steps; }
  template <class I> __host__ __device__ T& operator[](const I (&at)[N ? N : 1]) const {
    long long bytes = 0;
    for (int axis = 0; axis < N; ++axis) bytes += steps[axis] * (long long)at[axis];
    return *(T*)((char*)data + bytes);
  }
};
template <int N> struct _gpy_index {
  static const int ndim = N;
  long long count, extents[N ? N : 1], at[N ? N : 1];
  __host__ __device__ long long size() const { return count; }
  __host__ __device__ const long long (&get() const)[N ? N : 1] { return at; }
  __host__ __device__ void set(long long i) {
    for (int axis = N - 1; axis > 0; --axis) {
      at[axis] = i % extents[axis];
      i /= extents[axis];
    }
    at[0] = i;
  }
  __host__ __device__ void next() {
    for (int axis = N - 1; axis >= 0 && ++at[axis] == extents[axis] && axis > 0; --axis) at[axis] = 0;
  }
};
)GPY";
}

}  // namespace gpy::rt
