#pragma once

// Room beforehand: what has to be noted once it is done must not fail then.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpy::rt {

// Room for so many more, which grows as push_back lets it grow. Throws std::bad_alloc.
template <class T> void make_room(std::vector<T>& row, size_t more = 1) {
  if (row.capacity() - row.size() >= more) return;
  row.reserve(std::max(row.size() + more, 2 * row.capacity()));
}

}  // namespace gpy::rt
