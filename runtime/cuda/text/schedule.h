#pragma once

// The schedule of a plan's kernel: the form of its loops, the lanes of a thread and the access to
// each input and output. The fields of a schedule, with the plan's operations, are the identity of
// a kernel; extents, strides, scalars and addresses are parameters of it.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/hostile.h"
#include "runtime/graph/plan.h"

namespace gpy::rt::cuda {

enum class Form : uint8_t {
  // Maps.
  kFlat,       // one dimension; a thread computes a vector of neighbours
  kRows,       // the same within rows whose length is a multiple of the vector
  kScattered,  // a thread computes a few elements, each with an index of its own
  kTiled,      // some inputs lie along another dimension: through tiles in shared memory
  // Reductions of rows: the reduced elements of one output are walked by
  kThreadRow,  // one thread
  kWarpRow,    // one warp
  kBlockRow,   // one block, or several, the last of which finishes
  // Reductions of columns: lanes walk neighbouring outputs.
  kColumns,
  // Scans.
  kScanRows,     // a block walks a row tile by tile
  kScanColumns,  // a thread walks a column
};

// The way in which lane k of a thread finds its element of an operand.
enum class Access : uint8_t {
  kOnce,     // one element for the whole kernel
  kVector,   // neighbours in memory, each vector of them aligned
  kRepeat,   // the same element for every lane
  kStrided,  // an address of its own
  kIota,     // computed from the index
  kGather,   // read by an operation
  kTiled,    // lies along another dimension: through a tile in shared memory
};

inline constexpr int kThreads = 256;
// The bytes that a thread loads or stores at once, at addresses that are multiples of it.
inline constexpr int kVectorBytes = 16;

struct Schedule {
  Form form = Form::kFlat;
  bool wide = false;  // 64-bit indices
  // Lanes have neighbouring indices along `vector_dim`; else each lane decomposes its own index.
  bool vectors = true;
  int lanes = 1;
  int dims = 0;
  int kept = 0;  // dims before the reduced ones; all of them for a map
  int vector_dim = 0;
  std::vector<Access> inputs;
  std::vector<Access> outputs;
  Access result = Access::kStrided;  // of a scan

  // The numbers that differ between launches.
  int64_t count = 0;         // elements of the nest
  int64_t rows = 0;          // kept elements
  int64_t length = 0;        // reduced elements of one output
  int64_t splits = 1;        // blocks that share one output
  int64_t split_length = 0;  // reduced elements of one of them
  int columns = 0;           // kColumns: threads along the kept elements; kTiled: a tile's side

  // Launch settings, the same for all launches of a Runtime; not part of a kernel's identity.
  int threads = kThreads;   // of a block
  bool walks_grid = false;  // a block does the work of several, a grid apart

  // The divisor that removes dimension `dim`, the innermost one left, from a linear index. Along
  // the vector dimension an index counts vectors.
  int64_t divisor(const Plan& plan, int dim) const;
};

// Reuses `schedule`'s memory: a launch allocates nothing.
void make_schedule(const Plan& plan, const Bindings& bindings, Schedule& schedule,
                   const Hostile& hostile = {});

// Appends the kernel's identity to `key`.
void append_key(const Plan& plan, const Schedule& schedule, std::string& key);

}  // namespace gpy::rt::cuda
