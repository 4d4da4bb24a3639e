#pragma once

// Calls of BLAS and LAPACK, with interrupts between them.

#include <algorithm>
#include <cstdint>

#include "runtime/core/interrupt.h"
#include "runtime/core/process.h"

namespace gpy::rt {

// Multiplications of one library call, about a quarter of a second's worth on two cores: larger
// work is cut into pieces, and interrupts are polled between them.
inline constexpr double kPieceWork = 4e9;
// A product this long is cut even where the last bits of some elements change by it.
inline constexpr double kLongWork = 64e9;
// The rows that a kernel of OpenBLAS computes at a time divide this, whatever the type: checked
// with the kernels for Haswell, Zen and SkylakeX, with one thread and two.
inline constexpr int64_t kKernelRows = 96;

// Runs a call that cannot be cut. An interrupt that comes meanwhile ends the run after it.
template <class Work> void in_one_piece(Work&& work) {
  poll_interrupt();
  {
    const LibraryCall call(Library::kBlas);
    work();
  }
  poll_interrupt();
}

// Runs call(i) for all i below `count`, none of which takes long; `piece` of them between polls.
template <class Call> void in_pieces_of(int64_t count, int64_t piece, Call&& call) {
  for (int64_t first = 0; first < count; first += piece) {
    in_one_piece([&] {
      for (int64_t i = first; i < std::min(first + piece, count); ++i) call(i);
    });
  }
}

// Calls work(first, count) for [0, extent) at once or, where that takes long, for bands of it. One
// element of the extent takes `work_each` multiplications.
//
// OpenBLAS rounds the last rows of a thread's part differently where they do not fill its kernel.
// Where threads and kernels divide the extent evenly there are no such rows, and bands give the
// bits of a single call.
template <class Work> void in_bands(int64_t extent, int threads, double work_each, Work&& work) {
  const int64_t unit = kKernelRows * threads;
  const double whole = work_each * static_cast<double>(extent);
  if (whole < (extent % unit == 0 ? 2 * kPieceWork : kLongWork)) {
    return in_one_piece([&] { work(0, extent); });
  }
  const auto most = static_cast<int64_t>(kPieceWork / std::max(work_each, 1.0));
  const int64_t band = std::max<int64_t>(most / unit, 1) * unit;
  for (int64_t first = 0; first < extent;) {
    const int64_t count = extent - first < 2 * band ? extent - first : band;
    poll_interrupt();
    const LibraryCall call(Library::kBlas);
    work(first, count);
    first += count;
  }
  poll_interrupt();
}

}  // namespace gpy::rt
