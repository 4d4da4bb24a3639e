#pragma once

// Work on gigabytes of host memory that can be interrupted between its pieces.

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "runtime/core/interrupt.h"

namespace gpy::rt {

// Calls piece(from, bytes) for each piece of `bytes`.
template <class Piece> void in_polled_pieces(size_t bytes, Piece&& piece) {
  constexpr size_t kPiece = 16 << 20;
  for (size_t at = 0; at < bytes; at += kPiece) {
    poll_interrupt();
    piece(at, std::min(bytes - at, kPiece));
  }
}

// The two ranges must not overlap.
inline void copy_polled(void* to, const void* from, size_t bytes) {
  in_polled_pieces(bytes, [&](size_t at, size_t count) {
    std::memcpy(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at, count);
  });
}

}  // namespace gpy::rt
