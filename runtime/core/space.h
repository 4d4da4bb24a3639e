#pragma once

#include <cstdint>

namespace gpy::rt {

// The kind of memory that an array's handle stands for: it decides the array's type in the language
// and its combinations with others. `kAuto` combines with either of the others.
struct Space {
  enum class Kind : uint8_t { kHost, kDevice, kAuto };
  Kind kind = Kind::kAuto;
  int8_t device = 0;

  static Space host() { return {Kind::kHost, 0}; }
  static Space on_device(int index) { return {Kind::kDevice, static_cast<int8_t>(index)}; }
  static Space automatic() { return {Kind::kAuto, 0}; }

  bool is_host() const { return kind == Kind::kHost; }
  bool is_device() const { return kind == Kind::kDevice; }
  bool is_auto() const { return kind == Kind::kAuto; }
  friend bool operator==(const Space&, const Space&) = default;
};

// Index of a backend in the runtime: 0 is the host, 1 and up are the GPUs.
using Place = int8_t;
inline constexpr Place kHostPlace = 0;
inline constexpr int kMaxPlaces = 9;

}  // namespace gpy::rt
