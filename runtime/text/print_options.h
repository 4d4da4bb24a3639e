#pragma once

// The settings of numpy.set_printoptions, with NumPy's defaults.

#include <cstdint>
#include <string>

namespace gpy::rt {

// The releases of NumPy whose layouts can be asked for, oldest first; kNone is today's.
enum class LegacyLayout : uint8_t { k1_13, k1_21, k1_25, k2_1, k2_2, kNone };

enum class FloatMode : uint8_t { kFixed, kUnique, kMaxprec, kMaxprecEqual };

struct PrintOptions {
  int precision = 8;
  int64_t threshold = 1000;  // more elements than this are summarised
  int64_t edgeitems = 3;
  int64_t linewidth = 75;
  bool suppress = false;
  std::string nanstr = "nan";
  std::string infstr = "inf";
  char sign = '-';  // '-', '+' or ' '
  FloatMode floatmode = FloatMode::kMaxprec;
  LegacyLayout legacy = LegacyLayout::kNone;
};

}  // namespace gpy::rt
