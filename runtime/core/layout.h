#pragma once

// Shapes and strides: pure arithmetic on extents. Strides are in bytes unless said otherwise.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "runtime/core/dims.h"
#include "runtime/core/dtype.h"

namespace gpy::rt {

// The location of a view's elements, relative to the start of its storage.
struct Layout {
  DType dtype = DType::kFloat64;
  Dims shape;
  Dims strides;
  int64_t offset = 0;

  int rank() const { return shape.size(); }
  int64_t item_size() const { return rt::item_size(dtype); }
};

// The product of extents. Throws kValue if it, times `item_size`, does not fit 63 bits; extents of
// 0 do not make the others fit.
int64_t element_count(std::span<const int64_t> shape, int64_t item_size = 1);
// The same without an exception: nullopt where it does not fit.
std::optional<int64_t> try_element_count(std::span<const int64_t> shape, int64_t item_size = 1);

// Arithmetic on extents, counts and sizes that a script chose. Throws kValue, as element_count
// does, where the result does not fit 63 bits.
int64_t checked_product(int64_t a, int64_t b);
int64_t checked_sum(int64_t a, int64_t b);

Dims c_strides(std::span<const int64_t> shape, int64_t item_size);
Dims f_strides(std::span<const int64_t> shape, int64_t item_size);

// Dense strides for `shape` in NumPy's K order: axes lie in the order of decreasing |stride| in the
// operands `like` (each broadcast to `shape`), C order where those do not decide.
Dims k_strides(std::span<const int64_t> shape, int64_t item_size,
               std::span<const Dims* const> like);
Dims k_strides(std::span<const int64_t> shape, int64_t item_size, const Dims& like);

bool is_c_contiguous(const Layout& layout);
bool is_f_contiguous(const Layout& layout);
// True where the elements, in some order of the axes, fill memory without gaps from offset on.
bool is_dense(const Layout& layout);
// True where its elements are the bytes [0, bytes), each of them once.
bool covers(const Layout& layout, int64_t bytes);
// True for the same elements at the same places; axes of one element may differ in stride.
bool same_places(const Layout& a, const Layout& b);

// First and one-past-last byte that the view touches; equal for an empty view.
std::pair<int64_t, int64_t> byte_range(const Layout& layout);

// NumPy's broadcasting. Throws kValue: "operands could not be broadcast together with shapes ...".
Dims broadcast_shapes(std::span<const std::span<const int64_t>> shapes);
// `layout` seen with `shape`: new and stretched axes get stride 0. nullopt if it does not fit.
std::optional<Layout> try_broadcast(const Layout& layout, std::span<const int64_t> shape);

// The strides of a view of `layout` with another shape, or nullopt where only a copy will do.
std::optional<Dims> try_reshape(const Layout& layout, std::span<const int64_t> shape);

// "(2,3)", "(4,)": as NumPy prints shapes in messages about broadcasting.
std::string shape_text(std::span<const int64_t> shape);
// "(2, 3)": as Python prints a tuple.
std::string tuple_text(std::span<const int64_t> shape);

// Brings an axis into [0, rank). Throws kAxis: "axis 2 is out of bounds for array of dimension 1".
int normalize_axis(int64_t axis, int rank);

}  // namespace gpy::rt
