#pragma once
// numpy.seterr's settings: what floating-point events do.

#include <cstdint>

namespace gpy::rt {

// The action for one kind of event.
enum class OnError : uint8_t { kIgnore, kWarn, kRaise, kCall, kPrint, kLog };
struct ErrorState {
  OnError divide = OnError::kWarn;
  OnError over = OnError::kWarn;
  OnError under = OnError::kIgnore;
  OnError invalid = OnError::kWarn;

  bool raises() const {
    using enum OnError;
    return divide == kRaise || over == kRaise || under == kRaise || invalid == kRaise;
  }
  bool ignores() const {
    using enum OnError;
    return divide == kIgnore && over == kIgnore && under == kIgnore && invalid == kIgnore;
  }
};

}  // namespace gpy::rt
