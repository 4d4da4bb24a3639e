#pragma once

// The first door: operations become nodes here, checked and with their result's dtype, shape and
// strides fixed. Nothing runs unless the session is eager or a limit is reached.

#include "runtime/session.h"

namespace gpy::rt {

// A pending graph is run when it gets this deep or large: beyond it kernels stop gaining from
// fusion and forcing would need deep recursion.
inline constexpr uint32_t kMaxGraphDepth = 48;
inline constexpr uint32_t kMaxGraphSize = 64;

// Completes `node` (kind, op, inputs, out and domain are set) and makes it an array of `space`.
Array make_node(Session& session, std::unique_ptr<Node> node, Space space);

// An argument broadcast to `shape`. Throws kValue where it does not broadcast.
NodeInput make_input(const Term& operand, const Dims& shape);

// make_node for a map of `shape`, of which kind, op, loop and inputs are set. In NumPy's K order,
// unless `strides` are given.
Array make_map(Session& session, std::unique_ptr<Node> node, DType dtype, const Dims& shape,
               Space space, const Dims* strides = nullptr);

// The elements of `input`, which has that shape, as `dtype`.
Array make_cast(Session& session, NodeInput input, DType dtype, const Dims& shape, Space space,
                const Dims* strides = nullptr);

// An array over memory that holds its content already.
Array make_ready(Session& session, Ref<Buffer> buffer, Place place, Layout layout, Space space);

// Memory for new elements in a space.
Ref<Buffer> allocate_in(Session& session, Space space, const Layout& layout);

// A new array in C order, of which fill(std::byte* memory) writes all elements before anybody sees
// it. `memory` is in the place that serves the space.
template <class Fill>
Array make_filled(Session& session, DType dtype, const Dims& shape, Space space, Fill&& fill) {
  Layout layout{dtype, shape, c_strides(shape, item_size(dtype)), 0};
  Ref<Buffer> buffer = allocate_in(session, space, layout);
  fill(static_cast<std::byte*>(buffer->data()));
  return make_ready(session, std::move(buffer), session.place_of(space), std::move(layout), space);
}

// A new array with unset content, in C order or with the given strides.
Array make_empty(Session& session, DType dtype, const Dims& shape, Space space,
                 const Dims* strides = nullptr);

}  // namespace gpy::rt
