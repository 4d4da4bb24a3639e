#pragma once
// numpy.ndarray(shape, dtype, buffer, offset, strides, order): an array over memory that exists.

#include "src/array/arrays.h"

namespace gpy {

// The array that a memoryview (ndarray.data) shows; other things as they are.
Value behind_memory_view(Interpreter& vm, const Value& buffer);

// `buffer` is a contiguous array, whose memory the result views, or bytes, of which it holds a
// copy that cannot be written; null: new memory.
struct BufferLayout {
  const Value& shape;
  const Value& dtype;
  int64_t offset;        // bytes
  const Value& strides;  // bytes, by axis; not given: as `order` says
  const Value& order;
};
Value make_buffer_array(Interpreter& vm, const Value& buffer, const BufferLayout& wanted);

}  // namespace gpy
