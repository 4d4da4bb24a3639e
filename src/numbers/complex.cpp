// Complex numbers by the text that compiled loops compute them with, and the errors.
#include <math.h>

#include <complex>

#include "src/interpreter.h"

namespace gpy {

namespace {

namespace python {
#include "runtime/ops/support.h"
#include "runtime/typed/support/python_complex.h"
}  // namespace python

using Number = python::Complex<double>;

Number quotient(Interpreter& vm, Number a, Number b) {
  if (!python::truth(b)) vm.raise_zero_division_error("complex division by zero");
  return python::plain_quotient(a, b);
}

Number power(Interpreter& vm, Number base, Number exponent) {
  if (!python::has_power(base, exponent))
    vm.raise_zero_division_error("0.0 to a negative or complex power");
  const Number result = python::plain_power(base, exponent);
  if (python::is_inf(result) && python::is_finite(base))
    vm.raise_overflow_error("complex exponentiation");
  return result;
}

Number operate(Interpreter& vm, BinaryOp op, Number a, Number b) {
  switch (op) {
    case BinaryOp::add: return python::add(a, b);
    case BinaryOp::subtract: return python::subtract(a, b);
    case BinaryOp::multiply: return python::plain_product(a, b);
    case BinaryOp::true_divide: return quotient(vm, a, b);
    default: return power(vm, a, b);
  }
}

}  // namespace

Value complex_binary(Interpreter& vm, BinaryOp op, std::complex<double> lhs,
                     std::complex<double> rhs) {
  const Number result =
      operate(vm, op, Number(lhs.real(), lhs.imag()), Number(rhs.real(), rhs.imag()));
  return vm.complex(result.re, result.im);
}

}  // namespace gpy
