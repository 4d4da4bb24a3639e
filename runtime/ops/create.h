#pragma once

#include <span>

#include "runtime/session.h"

namespace gpy::rt {

// Pending arrays where they can be: a fill or a range that is only read by one expression never
// takes memory.
Array full(Session& session, const Dims& shape, const Scalar& value, DType dtype, Space space,
           char order = 'C');
Array full(Session& session, const Dims& shape, const Scalar& value, DType dtype, Space space,
           const Dims& strides);
Array empty(Session& session, const Dims& shape, DType dtype, Space space, char order = 'C');
Array empty(Session& session, const Dims& shape, DType dtype, Space space, const Dims& strides);

// start + i * step for i < count, as NumPy computes them: the step is (start + step) - start.
Array arange(Session& session, const Scalar& start, const Scalar& stop, const Scalar& step,
             DType dtype, Space space);
// The int64 numbers 0, 1, ... in C order.
Array iota(Session& session, const Dims& shape, Space space);
Array linspace(Session& session, double start, double stop, int64_t count, bool endpoint,
               DType dtype, Space space);
Array eye(Session& session, int64_t rows, int64_t cols, int64_t diagonal, DType dtype, Space space);

// An array of the host's bytes, which are copied; C order.
Array from_host(Session& session, DType dtype, const Dims& shape, const void* data, Space space);

// The same elements in another space; the same storage where the place does not change.
Array to_space(Session& session, const Array& array, Space space);
// Like copy; the copy of another device's array is on the current device.
Array copy_here(Session& session, const Array& array, char order);

// One element; the array must have one.
Scalar item(Session& session, const Array& array);

}  // namespace gpy::rt
