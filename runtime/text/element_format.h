#pragma once

// The common format of an array's elements, which makes them line up: widths, digits and the choice
// of an exponent follow from all elements together (numpy/_core/arrayprint.py, version 2.4).

#include <memory>
#include <string>
#include <vector>

#include "runtime/core/dtype.h"
#include "runtime/text/print_options.h"

namespace gpy::rt {

class ElementFormat {
 public:
  virtual ~ElementFormat() = default;
  virtual std::string text(int64_t index) const = 0;
};

// `data` holds `count` contiguous elements and, like `options`, outlives the result.
// `is_0d`: the array has no axes (nothing to line up with).
std::unique_ptr<ElementFormat> make_element_format(DType dtype, const void* data, int64_t count,
                                                   bool is_0d, const PrintOptions& options);

// The same of long doubles, or of complex numbers by their parts; `imaginary` is empty for reals.
std::unique_ptr<ElementFormat> make_long_double_format(std::vector<long double> real,
                                                       std::vector<long double> imaginary,
                                                       const PrintOptions& options);

}  // namespace gpy::rt
