#pragma once

// The CPU's loops of one reduction over one type, made from its row by ops/loops.

#include <cstdint>

namespace gpy::rt {

enum ReductionTraits : uint16_t {
  kIdentity = 1,  // reducing nothing gives the identity
  kScans = 2,
  kIsArg = 4,
  kQuiet = 8,      // floating-point flags mean nothing
  kPairwise = 16,  // rounded sums: NumPy's tree
  kInOrder = 32,   // rounded otherwise: one element after another
  kSettles = 64,   // bools: once it is not the identity it stays what it is
  kWidens = 128,   // small integers and bools accumulate in the machine's int
  kCounts = 256,   // the number of elements that are true
  kExtreme = 512,  // one of the elements, by their order; of equal ones the last
};

// The ways to group the elements of one run without a change of bits.
enum class FoldOrder : uint8_t { kAny, kPairwise, kInOrder };

// Accumulators are at most 32 bytes, `size` apart. plan.h says what a run is.
struct ReductionTiles {
  int size;
  FoldOrder order;
  bool quiet;
  // Writes `count` identities.
  void (*start)(void* accumulators, int64_t count);
  // accumulator[r] takes in row r of `rows` x `length` values, run after run; the rows' first
  // element is element `first` of what is reduced.
  void (*fold_rows)(void* accumulators, const void* values, int64_t rows, int64_t length,
                    int64_t run, int64_t first);
  // accumulator[c] takes in column c of `rows` x `columns` values, row after row, which are
  // `stride` values apart. All accumulators have taken in the same rows before.
  void (*fold_columns)(void* accumulators, const void* values, int64_t rows, int64_t columns,
                       int64_t stride, int64_t run, int64_t first);
  // accumulator[i] takes in what later[i] has gathered.
  void (*merge)(void* accumulators, const void* later, int64_t count);
  // Pairwise: the sum of a subtree, without the accumulator; merge joins two of them, take_run adds
  // a whole run's.
  void (*subtree)(void* sum, const void* values, int64_t count);
  void (*take_run)(void* accumulator, const void* sum);
  void (*finish)(const void* accumulators, void* out, int64_t count);
  // out[i] = what values[0..i] and, unless `fresh`, the accumulator give; leaves it for the next.
  void (*scan)(void* accumulator, bool fresh, const void* values, void* out, int64_t count);
  // The same down columns: accumulators are set or advanced, and out gets them.
  void (*scan_columns)(void* accumulators, bool fresh, const void* values, void* out,
                       int64_t columns);
  // Null, or whether nothing that follows can change the accumulator.
  bool (*settled)(const void* accumulator);
};

struct Reduction;
const ReductionTiles& reduction_tiles(const Reduction& reduction, int loop);

}  // namespace gpy::rt
