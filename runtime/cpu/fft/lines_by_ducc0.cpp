// The only file that knows ducc0. It is compiled with GPY_ISA naming an instruction set; the
// library's own names are kept apart by DUCC0_NAMESPACE.

#include "runtime/cpu/fft/lines.h"

#include <complex>

#include "ducc0/fft/fftnd_impl.h"
#include "ducc0/infra/mav.cc"
#include "ducc0/infra/string_utils.cc"
#include "ducc0/infra/threading.cc"

#define GPY_JOIN_(a, b) a##b
#define GPY_JOIN(a, b) GPY_JOIN_(a, b)

namespace gpy::rt {

namespace {

namespace library = DUCC0_NAMESPACE;

template <class T> std::vector<ptrdiff_t> in_elements(const Dims& strides) {
  std::vector<ptrdiff_t> steps;
  for (int64_t stride : strides) steps.push_back(stride / static_cast<int64_t>(sizeof(T)));
  return steps;
}

std::vector<size_t> extents_of(const FftLines& lines, bool halved) {
  std::vector<size_t> extents(lines.shape.begin(), lines.shape.end());
  if (halved) extents[lines.axis] = extents[lines.axis] / 2 + 1;
  return extents;
}

template <class T> library::cfmav<T> source(const FftLines& lines, const void* in, bool halved) {
  return {static_cast<const T*>(in), extents_of(lines, halved), in_elements<T>(lines.in_strides)};
}

template <class T> library::vfmav<T> target(const FftLines& lines, void* out, bool halved) {
  return {static_cast<T*>(out), extents_of(lines, halved), in_elements<T>(lines.out_strides)};
}

template <class F> void run(const FftLines& lines, const void* in, void* out) {
  using Complex = std::complex<F>;
  const auto factor = static_cast<F>(lines.factor);
  const auto axis = static_cast<size_t>(lines.axis);
  switch (lines.kind) {
    case FftKind::kComplex:
      return library::c2c(source<Complex>(lines, in, false), target<Complex>(lines, out, false),
                          {axis}, lines.forward, factor, 1);
    case FftKind::kRealToHalf:
      return library::r2c(source<F>(lines, in, false), target<Complex>(lines, out, true), axis,
                          lines.forward, factor, 1);
    case FftKind::kHalfToReal:
      return library::c2r(source<Complex>(lines, in, true), target<F>(lines, out, false), axis,
                          lines.forward, factor, 1);
  }
}

}  // namespace

void GPY_JOIN(run_lines_, GPY_ISA)(const FftLines& lines, const void* in, void* out) {
  lines.dtype == DType::kFloat32 ? run<float>(lines, in, out) : run<double>(lines, in, out);
}

}  // namespace gpy::rt
