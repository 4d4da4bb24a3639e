#pragma once

// Runs one operation on a few thousand elements of host memory without a plan: operands that are
// not contiguous are packed into a buffer of the thread, then the operation's tile loop runs over
// all of it, as it would over a plan's tile.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/core/layout.h"
#include "runtime/core/scalar.h"
#include "runtime/ops/ufunc.h"

namespace gpy::rt {

inline constexpr int kSmallRank = 4;
// Up to this many elements the loop takes about as long as making a node and a plan, and operands
// stay in the caches: fusing would gain nothing.
inline constexpr int64_t kSmallCount = 4096;

// The shape of a run, with axes of one element in front.
struct SmallShape {
  std::array<int64_t, kSmallRank> extents = {1, 1, 1, 1};
  int64_t count = 1;

  // False for a shape that is not small, or that has no elements.
  bool set(std::span<const int64_t> shape);
};

// The memory of an operand's elements, with the run's shape.
template <class Byte> struct SmallPlaces {
  Byte* data;                               // of element 0
  std::array<int64_t, kSmallRank> strides;  // bytes; 0 where it is broadcast
  DType dtype;
  bool packed;  // one after another, in C order
  bool single;  // one element for all

  // False where `layout` does not broadcast to the shape.
  bool set(const Layout& layout, Byte* memory, const SmallShape& shape);
  // NumPy keeps the operands' order of axes: true if that is C order here.
  bool has_c_axis_order() const;
};
using SmallView = SmallPlaces<const std::byte>;
using SmallRegion = SmallPlaces<std::byte>;

// The input of a tile loop: elements side by side, or a number.
struct SmallFeed {
  const std::byte* data;
  int64_t step;  // bytes; 0: a chunk of copies of one number
};

// A thread's buffer for kSmallCount elements of any dtype.
std::byte* small_room(int number);
inline constexpr int kSmallRooms = 8;

// The operand as `dtype`, packed into room `room` and cast into the room after it where need be.
// Adds what casting raises to `events`.
SmallFeed feed(const SmallView& view, const SmallShape& shape, DType dtype, int room, int& events);
// Chunks of the last numbers are kept: there is room for those of one call.
SmallFeed feed(const Scalar& number, DType dtype);

// Runs the loop over `count` elements; gives the floating-point events.
int run_loop(TileLoop loop, std::span<const SmallFeed> feeds, std::byte* out, int64_t out_size,
             int64_t count);

// Copy elements of one dtype to contiguous memory, and back.
void pack(const SmallView& view, const SmallShape& shape, std::byte* to);
void unpack(const std::byte* from, const SmallShape& shape, const SmallRegion& region);
// Sets every element of the region to the number.
void fill(const SmallRegion& region, const SmallShape& shape, const Scalar& number);

}  // namespace gpy::rt
