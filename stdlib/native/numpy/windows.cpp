// Windows for signals.
#include <cmath>
#include <numbers>

#include "runtime/ops/create.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

rt::Array plus(Interpreter& vm, const rt::Operand& a, const rt::Operand& b) {
  return apply(vm, "add", {a, b});
}
rt::Array times(Interpreter& vm, double factor, const rt::Array& x) {
  return apply(vm, "multiply", {rt::Scalar::weak(factor), x});
}

// cos(turns * pi * n / (m - 1)), in NumPy's order of operations.
rt::Array cosine(Interpreter& vm, const rt::Array& n, double m, double turns) {
  const rt::Array angle = times(vm, turns * std::numbers::pi, n);
  return apply(vm, "cos", {apply(vm, "divide", {angle, rt::Scalar::weak(m - 1)})});
}

rt::Array hanning(Interpreter& vm, const rt::Array& n, double m) {
  return plus(vm, rt::Scalar::weak(0.5), times(vm, 0.5, cosine(vm, n, m, 1)));
}

rt::Array hamming(Interpreter& vm, const rt::Array& n, double m) {
  return plus(vm, rt::Scalar::weak(0.54), times(vm, 0.46, cosine(vm, n, m, 1)));
}

rt::Array blackman(Interpreter& vm, const rt::Array& n, double m) {
  const rt::Array first = plus(vm, rt::Scalar::weak(0.42), times(vm, 0.5, cosine(vm, n, m, 1)));
  return plus(vm, first, times(vm, 0.08, cosine(vm, n, m, 2)));
}

rt::Array bartlett(Interpreter& vm, const rt::Array& n, double m) {
  const rt::Array part = apply(vm, "divide", {n, rt::Scalar::weak(m - 1)});
  const rt::Array rising = plus(vm, rt::Scalar::weak(1.0), part);
  const rt::Array falling = apply(vm, "subtract", {rt::Scalar::weak(1.0), part});
  return apply(vm, "where",
               {apply(vm, "less_equal", {n, rt::Scalar::weak(int64_t{0})}), rising, falling});
}

using Window = rt::Array (*)(Interpreter&, const rt::Array&, double);

// n goes from 1 - M to M - 1 by twos.
template <Window kWindow> Value window(Interpreter& vm, Args args) {
  const double m = vm.to_real(args[0]);
  const rt::Space space = namespace_or_numpy(args).space(session(vm));
  if (m < 1) return wrap_array(vm, rt::empty(session(vm), {0}, rt::DType::kFloat64, space));
  if (m == 1)
    return wrap_array(
        vm, rt::full(session(vm), {1}, rt::Scalar::weak(1.0), rt::DType::kFloat64, space));
  const rt::Array n = rt::arange(session(vm), rt::Scalar::weak(1 - m), rt::Scalar::weak(m),
                                 rt::Scalar::weak(2.0), rt::DType::kFloat64, space);
  return wrap_array(vm, kWindow(vm, n, m));
}

const Native kFunctions[] = {
    {"hanning", "(M)", window<hanning>, "The Hann window."},
    {"hamming", "(M)", window<hamming>, "The Hamming window."},
    {"blackman", "(M)", window<blackman>, "The Blackman window."},
    {"bartlett", "(M)", window<bartlett>, "The triangular window that ends in zeros."},
};

}  // namespace

Family window_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
