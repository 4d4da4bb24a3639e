#pragma once

// Capacity reserved in advance, for insertions that must not fail.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpy::rt {

// Reserves room for `more` elements, growing as push_back does. Throws std::bad_alloc.
template <class T> void make_room(std::vector<T>& row, size_t more = 1) {
  if (row.capacity() - row.size() >= more) return;
  row.reserve(std::max(row.size() + more, 2 * row.capacity()));
}

}  // namespace gpy::rt
