#pragma once

// What a stencil's neighbours are where they lie outside of the array.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/kernel/generated.h"

namespace gpy::rt {

struct Boundary {
  // Named as by scipy.ndimage. `abcd` goes on at its end as
  enum class Mode : uint8_t {
    kConstant,  // abcd|vvv, a value
    kNearest,   // abcd|ddd
    kWrap,      // abcd|abc
    kReflect,   // abcd|dcb
    kMirror,    // abcd|cba
    kSkip,      // not at all: elements with such neighbours are not computed
  };
  Mode mode = Mode::kConstant;
  std::string value = {};  // an expression of C++; empty: 0
};

// "wrap", "constant 1.5", or one for each axis, with commas between them; nothing is constant 0.
// Throws kValue for other words, with the place of the text if it is known.
std::vector<Boundary> parse_boundaries(std::string_view text, const KernelPlace& place = {});

}  // namespace gpy::rt
