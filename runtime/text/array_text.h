#pragma once

// str() and repr() of arrays, to NumPy's letter. Only the elements that will be shown are asked
// for: of a summarised array its corners, which a device array's owner fetches alone.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"
#include "runtime/core/host_view.h"
#include "runtime/text/print_options.h"

namespace gpy::rt {

// The extents of what is shown: an axis of a summarised array keeps 2 * edgeitems elements.
Dims printed_shape(const Dims& shape, const PrintOptions& options);

// A box of the array and where it goes among the shown elements. The boxes of an array that is
// shown whole are one box.
struct PrintedBox {
  Dims start;
  Dims extent;
  Dims target;
};
std::vector<PrintedBox> printed_boxes(const Dims& shape, const PrintOptions& options);

// The shown elements, contiguous in C order over printed_shape.
std::vector<std::byte> gather_printed(const HostView& view, const PrintOptions& options);

// `elements` as gather_printed gives them; `shape` is the whole array's.
std::string array_str(DType dtype, const Dims& shape, const void* elements,
                      const PrintOptions& options);
// `opening` is the text in front of the elements, which wrapped lines are indented by.
std::string array_repr(DType dtype, const Dims& shape, const void* elements,
                       const PrintOptions& options, const std::string& opening = "array(");
// The same around a body that somebody else has made.
std::string array_repr_of(const std::string& body, DType dtype, const Dims& shape,
                          const PrintOptions& options, const std::string& opening);
// numpy.array2string: what array_str and array_repr write between their ends.
std::string array_to_string(DType dtype, const Dims& shape, const void* elements,
                            const PrintOptions& options, const std::string& separator,
                            size_t prefix_size, size_t suffix_size);

// The same of elements that somebody else has made texts of: those shown, as gather_printed orders
// them.
std::string texts_to_string(std::span<const std::string> texts, const Dims& shape,
                            const PrintOptions& options, const std::string& separator,
                            size_t prefix_size, size_t suffix_size);

inline std::string array_str(const HostView& view, const PrintOptions& options) {
  return array_str(view.dtype, view.shape, gather_printed(view, options).data(), options);
}
inline std::string array_repr(const HostView& view, const PrintOptions& options,
                              const std::string& opening = "array(") {
  return array_repr(view.dtype, view.shape, gather_printed(view, options).data(), options, opening);
}

// Python's text of a shape: "()", "(3,)", "(2, 3)".
std::string shape_text(const Dims& shape);

}  // namespace gpy::rt
