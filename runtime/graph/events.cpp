#include "runtime/graph/events.h"

#include <fmt/format.h>

#include <cfenv>
#include <cmath>
#include <complex>

#include "runtime/core/error.h"

namespace gpy::rt {

namespace {

struct FlagText {
  int flag;
  int number;  // NumPy's
  const char* text;
  OnError ErrorState::*setting;
};
constexpr FlagText kFlags[] = {
    {FE_DIVBYZERO, 1, "divide by zero", &ErrorState::divide},
    {FE_OVERFLOW, 2, "overflow", &ErrorState::over},
    {FE_UNDERFLOW, 4, "underflow", &ErrorState::under},
    {FE_INVALID, 8, "invalid value", &ErrorState::invalid},
};

int numbered(int flags) {
  int numbers = 0;
  for (const FlagText& flag : kFlags) {
    if (flags & flag.flag) numbers |= flag.number;
  }
  return numbers;
}

bool is_finite(std::complex<double> z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

int cast_flags(const Scalar& number, DType to) {
  const std::complex<double> before = number.as_complex();
  if (is_inexact(to)) {
    return is_finite(before) && !is_finite(number.cast(to).as_complex()) ? FE_OVERFLOW : 0;
  }
  if (!is_integer(to) || !is_inexact(number.dtype())) return 0;
  const double whole = std::trunc(before.real());
  const bool has_sign = kind(to) == DTypeKind::kSigned;
  const double most = std::ldexp(1.0, 8 * to.item_size() - (has_sign ? 1 : 0));
  return whole >= (has_sign ? -most : 0) && whole < most ? 0 : FE_INVALID;
}

}  // namespace

void tell_cast_events(Session& session, const Scalar& number, DType to, const Origin& origin) {
  if (const int flags = cast_flags(number, to)) tell_events(session, flags, "cast", origin);
}

void tell_events(Session& session, const ErrorState& errors, int flags, std::string_view op,
                 const Origin& origin) {
  for (const FlagText& flag : kFlags) {
    if (!(flags & flag.flag)) continue;
    const OnError setting = errors.*flag.setting;
    if (setting == OnError::kIgnore) continue;
    if (setting > OnError::kRaise) {
      session.handle_event(setting, {flag.text, op, numbered(flags)});
      continue;
    }
    const std::string text = fmt::format("{} encountered in {}", flag.text, op);
    if (setting == OnError::kRaise) throw Error(ErrorKind::kFloatingPoint, text);
    if (session.warn) session.warn(text, origin);
  }
}

void tell_events(Session& session, int flags, std::string_view op, const Origin& origin) {
  tell_events(session, session.errors, flags, op, origin);
}

}  // namespace gpy::rt
