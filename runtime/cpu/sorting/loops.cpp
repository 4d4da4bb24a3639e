#include "runtime/cpu/sorting/loops.h"

#include <algorithm>

#include "runtime/core/instruction_set.h"
#include "runtime/core/interrupt.h"

namespace gpy::rt {

namespace {

constexpr int64_t kPiece = 1 << 16;

// Cuts the keys into pieces in order first, so that it can poll between the pieces.
template <class Key> void sort_pieces(Key* keys, int64_t count) {
  while (count > kPiece) {
    poll_interrupt();
    std::nth_element(keys, keys + count / 2, keys + count);
    sort_pieces(keys, count / 2);
    keys += count / 2;
    count -= count / 2;
  }
  poll_interrupt();
  std::sort(keys, keys + count);
}

template <class Key> void select_one(Key* keys, int64_t count, int64_t kth) {
  poll_interrupt();
  std::nth_element(keys, keys + kth, keys + count);
}

}  // namespace

void sort_by_comparing(int32_t* keys, int64_t count) { sort_pieces(keys, count); }
void sort_by_comparing(int64_t* keys, int64_t count) { sort_pieces(keys, count); }
void select_by_comparing(int32_t* keys, int64_t count, int64_t kth) {
  select_one(keys, count, kth);
}
void select_by_comparing(int64_t* keys, int64_t count, int64_t kth) {
  select_one(keys, count, kth);
}

#define GPY_TABLES(isa)                \
  namespace isa {                      \
  const SortingLoops& sorting_loops(); \
  }
GPY_TABLES(base)
GPY_TABLES(avx2)
GPY_TABLES(avx512)
#undef GPY_TABLES

const SortingLoops& sorting_loops() {
  switch (instruction_set()) {
    case InstructionSet::kAvx512: return avx512::sorting_loops();
    case InstructionSet::kAvx2: return avx2::sorting_loops();
    case InstructionSet::kBase: break;
  }
  return base::sorting_loops();
}

}  // namespace gpy::rt
