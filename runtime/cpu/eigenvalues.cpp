#include "runtime/cpu/eigenvalues.h"

#include <complex>

#include "runtime/cpu/blas.h"
#include "runtime/cpu/lapack.h"

namespace gpy::rt {
namespace {

// The lengths of strings come last.
using Syevd = void(const char*, const char*, const int*, void*, const int*, void*, void*,
                   const int*, int*, const int*, int*, size_t, size_t);
using Heevd = void(const char*, const char*, const int*, void*, const int*, void*, void*,
                   const int*, void*, const int*, int*, const int*, int*, size_t, size_t);
using GeevReal = void(const char*, const char*, const int*, void*, const int*, void*, void*, void*,
                      const int*, void*, const int*, void*, const int*, int*, size_t, size_t);
using GeevComplex = void(const char*, const char*, const int*, void*, const int*, void*, void*,
                         const int*, void*, const int*, void*, const int*, void*, int*, size_t,
                         size_t);

// Writes values of which a real routine gave the real parts first, then the imaginary ones.
template <class Real> void join_parts(const void* parts, int n, void* values) {
  const auto* from = static_cast<const Real*>(parts);
  auto* to = static_cast<std::complex<Real>*>(values);
  for (int i = 0; i < n; ++i) to[i] = {from[i], from[n + i]};
}

}  // namespace

size_t RoomSize::bytes() const {
  return elements * item_size(dtype) + reals * item_size(real_type(dtype)) + integers * sizeof(int);
}

Room RoomSize::make() const {
  return {std::vector<std::byte>(elements * item_size(dtype)),
          std::vector<std::byte>(reals * item_size(real_type(dtype))), std::vector<int>(integers)};
}

// Work memory and its sizes; -1: the routine writes the size that it asks for there.
struct HermitianEigen::Work {
  void* elements;
  int elements_size;
  void* reals;
  int reals_size;
  int* integers;
  int integers_size;
};

HermitianEigen::HermitianEigen(DType dtype, int64_t n, bool upper, bool vectors)
    : dtype_(dtype), n_(checked_int(n)), triangle_(upper ? 'U' : 'L'), job_(vectors ? 'V' : 'N') {
  LapackNumber elements(dtype, 0), reals(dtype, 0);
  int integers = 0, info = 0;
  call(nullptr, nullptr, {elements.bytes, -1, reals.bytes, -1, &integers, -1}, &info);
  need_done("syevd", info);
  const int real_size = is_complex(dtype) ? workspace_size(real_type(dtype), reals) : 0;
  room_ = {dtype, workspace_size(dtype, elements), real_size, integers};
}

void HermitianEigen::run(void* a, void* w, Room& room, int* info) const {
  call(a, w,
       {room.elements.data(), static_cast<int>(room_.elements), room.reals.data(),
        static_cast<int>(room_.reals), room.integers.data(), static_cast<int>(room_.integers)},
       info);
}

void HermitianEigen::call(void* a, void* w, const Work& work, int* info) const {
  const int leading = std::max(n_, 1);
  if (is_complex(dtype_)) {
    Blas::get().routine<Heevd>(dtype_, "heevd")(
        &job_, &triangle_, &n_, a, &leading, w, work.elements, &work.elements_size, work.reals,
        &work.reals_size, work.integers, &work.integers_size, info, 1, 1);
  } else {
    Blas::get().routine<Syevd>(dtype_, "syevd")(&job_, &triangle_, &n_, a, &leading, w,
                                                work.elements, &work.elements_size, work.integers,
                                                &work.integers_size, info, 1, 1);
  }
}

GeneralEigen::GeneralEigen(DType dtype, int64_t n, bool vectors)
    : dtype_(dtype), n_(checked_int(n)), job_(vectors ? 'V' : 'N') {
  LapackNumber elements(dtype, 0), written(dtype, 0);  // zgeev writes to reals[0] here
  int info = 0;
  call(nullptr, nullptr, nullptr, elements.bytes, -1, written.bytes, &info);
  need_done("geev", info);
  room_ = {dtype, workspace_size(dtype, elements), 2 * n, 0};
}

void GeneralEigen::run(void* a, void* w, void* v, Room& room, int* info) const {
  void* const reals = room.reals.data();
  call(a, w, v, room.elements.data(), static_cast<int>(room_.elements), reals, info);
  if (dtype_ == DType::kFloat32) join_parts<float>(reals, n_, w);
  if (dtype_ == DType::kFloat64) join_parts<double>(reals, n_, w);
}

// Of a real matrix the values go into `reals`.
void GeneralEigen::call(void* a, void* w, void* v, void* elements, int size, void* reals,
                        int* info) const {
  const int leading = std::max(n_, 1);
  if (is_complex(dtype_)) {
    Blas::get().routine<GeevComplex>(dtype_, "geev")("N", &job_, &n_, a, &leading, w, nullptr,
                                                     &leading, v, &leading, elements, &size, reals,
                                                     info, 1, 1);
  } else {
    void* const imaginary = at(reals, n_, dtype_);
    Blas::get().routine<GeevReal>(dtype_, "geev")("N", &job_, &n_, a, &leading, reals, imaginary,
                                                  nullptr, &leading, v, &leading, elements, &size,
                                                  info, 1, 1);
  }
}

}  // namespace gpy::rt
