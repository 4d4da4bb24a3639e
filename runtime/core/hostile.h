#pragma once

// Legal but unlikely ways to run work: tiny tiles and blocks, memory full of garbage, delayed
// threads. Tests switch them on; no result may change by a bit. The constants of a reduction's tree
// are not among them: they stay as they are.

#include <cstdint>
#include <string_view>

namespace gpy::rt {

// The byte that fills fresh memory in a hostile run.
constexpr unsigned char kPoison = 0xcb;

struct Hostile {
  enum class Indices : uint8_t { kFitting, kNarrow, kWide };

  int64_t tile = 0;  // elements of a CPU's tile; 0: as many as suit its caches
  // Threads of a GPU's block, except where they shape a reduction's tree: 32, or 0: as many as suit
  // the block.
  int block = 0;
  uint32_t grid = 0;                    // blocks of a launch at most; 0: as many as the work takes
  Indices indices = Indices::kFitting;  // of kernels: 32 bits, 64 bits, or what fits the work
  bool fusion = true;                   // nodes run inside the plan of the node that reads them
  bool at_once = true;                  // small arrays of the host are computed without a plan
  bool pool = true;                     // freed memory is kept for the next array
  bool poison = false;                  // memory is full of kPoison when it is handed out
  bool delays = false;  // small work is shared too, and threads pause before their pieces

  // Names as tests give them, joined by commas: block, tile, grid, fusion, pool, wide, narrow,
  // delays, poison. Throws kValue for any other.
  static Hostile parse(std::string_view names);
};

}  // namespace gpy::rt
