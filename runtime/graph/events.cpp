#include "runtime/graph/events.h"

#include <fmt/format.h>

#include <cfenv>

#include "runtime/core/error.h"

namespace gpy::rt {

namespace {

struct FlagText {
  int flag;
  const char* text;
  OnError ErrorState::*setting;
};
constexpr FlagText kFlags[] = {
    {FE_DIVBYZERO, "divide by zero", &ErrorState::divide},
    {FE_OVERFLOW, "overflow", &ErrorState::over},
    {FE_UNDERFLOW, "underflow", &ErrorState::under},
    {FE_INVALID, "invalid value", &ErrorState::invalid},
};

}  // namespace

void tell_events(Session& session, const ErrorState& errors, int flags, std::string_view op,
                 const Origin& origin) {
  for (const FlagText& flag : kFlags) {
    if (!(flags & flag.flag)) continue;
    const OnError setting = errors.*flag.setting;
    if (setting == OnError::kIgnore) continue;
    const std::string text = fmt::format("{} encountered in {}", flag.text, op);
    if (setting == OnError::kRaise) throw Error(ErrorKind::kFloatingPoint, text);
    if (session.warn) session.warn(text, origin);
  }
}

void tell_events(Session& session, int flags, std::string_view op, const Origin& origin) {
  tell_events(session, session.errors, flags, op, origin);
}

}  // namespace gpy::rt
