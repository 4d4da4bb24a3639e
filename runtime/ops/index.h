#pragma once

// Indexing as NumPy has it: basic (views), integer arrays and boolean masks, mixed freely.

#include <optional>
#include <variant>
#include <vector>

#include "runtime/session.h"

namespace gpy::rt {

struct SliceIndex {
  std::optional<int64_t> start, stop, step;
};
struct NewAxis {};
struct EllipsisIndex {};

// One entry between the brackets. An Array is integer (any int dtype) or bool.
using IndexItem = std::variant<int64_t, SliceIndex, NewAxis, EllipsisIndex, Array>;

// True where the result is a view: no arrays among the items.
bool is_basic(std::span<const IndexItem> items);

// array[items]. Basic items give a view. Throws kIndex as NumPy does: "index 10 is out of bounds
// for axis 0 with size 10", "too many indices for array: ...", "boolean index did not match ...".
Array get_items(Session& session, const Array& array, std::span<const IndexItem> items);

// array[items] = source.
void set_items(Session& session, const Array& array, std::span<const IndexItem> items,
               const Operand& source);

// Along one axis; `mode` raise only. No axis: of the flattened array.
Array take(Session& session, const Array& array, const Array& indices, std::optional<int64_t> axis);

}  // namespace gpy::rt
