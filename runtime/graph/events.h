#pragma once

// Reports of floating-point events, as the session's error state says.

#include <string_view>

#include "runtime/session.h"

namespace gpy::rt {

// `flags` are fenv's. Warns, or throws kFloatingPoint "divide by zero encountered in log", as
// `errors` say, by default the session's.
void tell_events(Session& session, const ErrorState& errors, int flags, std::string_view op,
                 const Origin& origin);
void tell_events(Session& session, int flags, std::string_view op, const Origin& origin);

// What the cast of one number tells: an overflow of floats, an int that no float has.
void tell_cast_events(Session& session, const Scalar& number, DType to, const Origin& origin);

// While one lives events are ignored.
class EventsIgnored {
 public:
  explicit EventsIgnored(Session& session) : session_(session), strict_(session.errors) {
    constexpr OnError ignore = OnError::kIgnore;
    session.errors = {ignore, ignore, ignore, ignore};
  }
  ~EventsIgnored() { session_.errors = strict_; }
  EventsIgnored(const EventsIgnored&) = delete;
  EventsIgnored& operator=(const EventsIgnored&) = delete;

 private:
  Session& session_;
  ErrorState strict_;
};

}  // namespace gpy::rt
