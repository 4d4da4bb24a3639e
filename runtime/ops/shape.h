#pragma once

// Views and the copies that shapes ask for. Axes may be negative; errors are NumPy's.

#include <span>
#include <vector>

#include "runtime/session.h"

namespace gpy::rt {

// One extent may be -1. A view where strides allow it, else a copy. `order` is C, F or A.
Array reshape(Session& session, const Array& array, std::span<const int64_t> shape,
              char order = 'C');
// array.shape = shape: kValue where only a copy would do.
Array reshape_in_place(const Array& array, std::span<const int64_t> shape);
Array ravel(Session& session, const Array& array, char order = 'C');
Array flatten(Session& session, const Array& array, char order = 'C');

Array transpose(const Array& array);
Array transpose(const Array& array, std::span<const int64_t> axes);
Array swap_axes(const Array& array, int64_t a, int64_t b);
Array move_axes(const Array& array, std::span<const int64_t> from, std::span<const int64_t> to);
Array squeeze(const Array& array);
Array squeeze(const Array& array, std::span<const int64_t> axes);
Array expand_dims(const Array& array, std::span<const int64_t> axes);
Array broadcast_to(const Array& array, std::span<const int64_t> shape);  // read-only
Array flip(const Array& array, std::span<const int64_t> axes);
Array diagonal(const Array& array, int64_t offset, int64_t axis1, int64_t axis2);
Array view_as(Session& session, const Array& array, DType dtype);
// The array's memory with another layout, which lies within it. One whose elements overlap is
// read-only.
Array view_memory(Session& session, const Array& array, Layout layout);
Array real_part(const Array& array);  // a view for complex types
Array imag_part(Session& session, const Array& array);

Array concatenate(Session& session, std::span<const Array> arrays, int64_t axis,
                  std::optional<DType> dtype = std::nullopt);
Array stack(Session& session, std::span<const Array> arrays, int64_t axis);
// Views of consecutive parts; `at` are the borders.
std::vector<Array> split(const Array& array, std::span<const int64_t> at, int64_t axis);
Array roll(Session& session, const Array& array, int64_t shift, int64_t axis);
Array tile(Session& session, const Array& array, std::span<const int64_t> repeats);
Array repeat(Session& session, const Array& array, std::span<const int64_t> counts, int64_t axis);

}  // namespace gpy::rt
