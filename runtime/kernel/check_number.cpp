#include "runtime/kernel/check_number.h"

#include <cmath>
#include <complex>

#include "runtime/core/error.h"
#include "runtime/text/number_text.h"

namespace gpy::rt {
namespace {

// The largest value of an integer type; a signed type's smallest is one below its negative.
uint64_t largest(DType dtype) {
  const int64_t bits = 8 * item_size(dtype) - (kind(dtype) == DTypeKind::kSigned ? 1 : 0);
  return ~uint64_t{0} >> (64 - bits);
}

bool integer_fits(const Scalar& number, DType dtype) {
  if (number.dtype() == DType::kUInt64 || number.as_int() >= 0)
    return number.as_unsigned() <= largest(dtype);
  if (kind(dtype) == DTypeKind::kUnsigned) return false;
  return number.as_int() >= -static_cast<int64_t>(largest(dtype)) - 1;
}

bool float_fits(const Scalar& number, DType dtype) {
  const std::complex<double> given = number.as_complex(), passed = number.cast(dtype).as_complex();
  const auto overflows = [](double from, double to) {
    return std::isfinite(from) && std::isinf(to);
  };
  return !overflows(given.real(), passed.real()) && !overflows(given.imag(), passed.imag());
}

}  // namespace

std::string argument_text(size_t i, std::string_view parameter) {
  return fmt::format("argument {} ('{}')", i + 1, parameter);
}

void check_number(std::string_view kernel, size_t i, std::string_view parameter,
                  std::string_view type, DType to, const Scalar& number) {
  const DType from = number.dtype();
  if ((is_complex(from) && !is_complex(to)) || (is_float(from) && !is_inexact(to))) {
    fail(ErrorKind::kType, "{}: {} is of type {}, but {} was passed", kernel,
         argument_text(i, parameter), type, scalar_str(number));
  }
  const bool fits = is_inexact(to)   ? float_fits(number, to)
                    : is_integer(to) ? integer_fits(number, to)
                                     : true;
  if (fits) return;
  fail(ErrorKind::kOverflow, "{}: {} is of type {}, which cannot hold {}", kernel,
       argument_text(i, parameter), type, scalar_str(number));
}

}  // namespace gpy::rt
