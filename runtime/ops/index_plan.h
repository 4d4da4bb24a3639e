#pragma once

// The items between the brackets, worked out: a view for basic indexing, and for index arrays the
// view that they walk plus the offset of each element of the result in it.

#include "runtime/ops/index.h"

namespace gpy::rt {

Array basic_view(const Array& array, std::span<const IndexItem> items);

struct IndexPlan {
  Array base;                   // of rank plan.shape's, stride 0 along the axes of the index arrays
  Array offsets;                // int64, in elements; broadcasts to `shape`
  int64_t least = 0, span = 1;  // the offsets are from `least` on, and `span` numbers at most
  Dims shape;                   // of the result
  int trailing = 0;             // axes of the result behind those of the index arrays
  bool from_mask = false;
  bool distinct = false;  // no element is known to be indexed twice
};

// kIndex where the mask's extents are not those of the array's axes from `axis` on.
void check_mask(const Array& mask, const Array& array, int axis);

// Checks every index array against its axis: kIndex "index 10 is out of bounds for axis 0 with size
// 4".
IndexPlan plan_index(Session& session, const Array& array, std::span<const IndexItem> items);

// The items, with copies of index arrays that may be the array's own elements: what is written to
// the array must not reach the indices that were checked.
std::vector<IndexItem> own_indices(Session& session, const Array& array,
                                   std::span<const IndexItem> items);

// Start, step and length of a slice on an axis, as Python's slice.indices. Throws kValue for step
// 0.
struct SliceRange {
  int64_t start = 0, step = 1, count = 0;
};
SliceRange slice_range(const SliceIndex& slice, int64_t extent);

}  // namespace gpy::rt
