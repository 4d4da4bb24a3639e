// numpy.fft, whose functions are written in gpy over these natives.
#include "runtime/ops/fft.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/fft.h"
#include "stdlib/native/numpy/open.h"

namespace gpy::lib {

namespace {

Value transform(Interpreter& vm, const rt::Array& a, rt::FftKind kind, const rt::Dims& axes,
                int64_t points, bool forward, double factor) {
  const rt::Transform what{kind, {axes.begin(), axes.end()}, points, forward, factor};
  return wrap_array(vm, rt::transform(session(vm), a, what));
}

Value complex_to_complex(Interpreter& vm, const rt::Array& a, const rt::Dims& axes, bool forward,
                         double factor) {
  return transform(vm, a, rt::FftKind::kComplex, axes, 0, forward, factor);
}

Value real_to_half(Interpreter& vm, const rt::Array& a, const rt::Dims& axes, double factor) {
  return transform(vm, a, rt::FftKind::kRealToHalf, axes, 0, true, factor);
}

Value half_to_real(Interpreter& vm, const rt::Array& a, const rt::Dims& axes, int64_t points,
                   double factor) {
  return transform(vm, a, rt::FftKind::kHalfToReal, axes, points, false, factor);
}

const Native kTransforms[] = {
    {"_complex_to_complex", "(a, axes, forward, factor, /)", typed<complex_to_complex>,
     "The Fourier transform along axes from 0, each with a point at least, times a factor."},
    {"_real_to_half", "(a, axes, factor, /)", typed<real_to_half>,
     "The transform of real numbers, of whose last axis the first half comes out."},
    {"_half_to_real", "(a, axes, points, factor, /)", typed<half_to_real>,
     "The inverse: so many real points along the last axis, from points // 2 + 1."},
};

}  // namespace

std::span<const Native> transforms() { return kTransforms; }

Value open_fft(Interpreter& vm, const Namespace& names) {
  return make_library_part(vm, names, "fft", {});
}

}  // namespace gpy::lib
