#pragma once
// numpy.seterr's settings: what floating-point events do.

#include <cstdint>
#include <string_view>

namespace gpy::rt {

// The action for one kind of event.
enum class OnError : uint8_t { kIgnore, kWarn, kRaise, kCall, kPrint, kLog };
struct ErrorState {
  OnError divide = OnError::kWarn;
  OnError over = OnError::kWarn;
  OnError under = OnError::kIgnore;
  OnError invalid = OnError::kWarn;

  // What raises, calls, prints or logs does so at its operation: nothing stays pending.
  bool tells_at_once() const {
    using enum OnError;
    return divide > kWarn || over > kWarn || under > kWarn || invalid > kWarn;
  }
  bool ignores() const {
    using enum OnError;
    return divide == kIgnore && over == kIgnore && under == kIgnore && invalid == kIgnore;
  }
};

struct FloatingPointEvent {
  std::string_view kind;  // "divide by zero"
  std::string_view op;
  int all;  // the operation's events: 1 divide by zero, 2 overflow, 4 underflow, 8 invalid value
};

}  // namespace gpy::rt
