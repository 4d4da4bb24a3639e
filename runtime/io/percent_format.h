#pragma once

// Python's % formatting of numbers, for savetxt.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/scalar.h"

namespace gpy::rt {

struct PercentSpec {
  std::string literal;  // the text in front of it
  bool minus = false;
  bool plus = false;
  bool space = false;
  bool zero = false;
  bool alternate = false;
  int width = 0;
  int precision = -1;
  char conversion = 0;
};

class PercentFormat {
 public:
  // Throws kValue for what is not a format.
  explicit PercentFormat(std::string_view format);

  // False if the number of values or a value's type does not fit.
  [[nodiscard]] bool try_append(std::string& out, std::span<const Scalar> values) const;

 private:
  std::vector<PercentSpec> specs_;
  std::string tail_;
};

}  // namespace gpy::rt
