#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// Groups within a warp: a set of lanes. Their operations are the warp's with this mask.
constexpr std::string_view kLanes = R"GPY(
#line 1 "<called>"
namespace cooperative_groups {
namespace _gpy {
// A value of any size, eight bytes at a time.
template <class T> static inline T exchange(unsigned mask, T x, int from, const char* file, int line) {
  constexpr size_t words = (sizeof(T) + 7) / 8;
  unsigned long long parts[words] = {};
  memcpy((void*)parts, &x, sizeof(T));
  for (size_t i = 0; i < words; ++i) parts[i] = _gpy_meet(mask, _gpy_warp_shuffle, parts[i], from, file, line);
  memcpy((void*)&x, parts, sizeof(T));
  return x;
}
struct lanes {
  unsigned mask;
  unsigned size() const { return (unsigned)__builtin_popcount(mask); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return (unsigned)__builtin_popcount(mask & ((1u << _gpy_lane()) - 1)); }
  int lane_of(unsigned rank) const {
    unsigned rest = mask;
    for (; rank > 0 && (rest & (rest - 1)); --rank) rest &= rest - 1;
    return __builtin_ctz(rest);
  }
  // The ranks of what a ballot of lanes names.
  unsigned packed(unsigned ballot) const {
    unsigned result = 0, rank = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1, ++rank)
      result |= (ballot >> __builtin_ctz(rest) & 1u) << rank;
    return result;
  }
  void sync(_GPY_SITE) const { __syncwarp(mask, file, line); }
  template <class T> T shfl(T x, int rank, _GPY_SITE) const { return exchange(mask, x, lane_of((unsigned)rank % size()), file, line); }
  template <class T> T shfl_up(T x, int delta, _GPY_SITE) const {
    const int rank = (int)thread_rank(), from = rank - delta;
    return exchange(mask, x, lane_of((unsigned)(from < 0 ? rank : from)), file, line);
  }
  template <class T> T shfl_down(T x, int delta, _GPY_SITE) const {
    const int rank = (int)thread_rank(), from = rank + delta;
    return exchange(mask, x, lane_of((unsigned)(from >= (int)size() ? rank : from)), file, line);
  }
  int any(int predicate, _GPY_SITE) const { return __any_sync(mask, predicate, file, line); }
  int all(int predicate, _GPY_SITE) const { return __all_sync(mask, predicate, file, line); }
  unsigned ballot(int predicate, _GPY_SITE) const { return packed(__ballot_sync(mask, predicate, file, line)); }
  template <class T> unsigned match_any(T x, _GPY_SITE) const { return packed(__match_any_sync(mask, x, file, line)); }
  template <class T> unsigned match_all(T x, int& same, _GPY_SITE) const { return packed(__match_all_sync(mask, x, &same, file, line)); }
};
}  // namespace _gpy
)GPY";

constexpr std::string_view kGroups = R"GPY(
class thread_block {
 public:
  static void sync(_GPY_SITE) { __syncthreads(file, line); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return _gpy_rank(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
static inline thread_block this_thread_block() { return {}; }
class grid_group {
 public:
  static bool is_valid() { return true; }
  static void sync(_GPY_SITE) { _gpy_sync_grid(file, line); }
  static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long block_rank() { return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static dim3 block_index() { return blockIdx; }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
};
static inline grid_group this_grid() { return {}; }
class coalesced_group : public _gpy::lanes {
 public:
  explicit coalesced_group(unsigned mask) : lanes{mask} {}
  unsigned meta_group_rank() const { return 0; }
  unsigned meta_group_size() const { return 1; }
};
static inline coalesced_group coalesced_threads(_GPY_SITE) { return coalesced_group(__activemask(file, line)); }

template <unsigned Size, class Parent = void> class thread_block_tile : public _gpy::lanes {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads here");

 public:
  thread_block_tile() : lanes{(Size == 32 ? ~0u : (1u << Size % 32) - 1) << (_gpy_lane() & ~(Size - 1))} {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return _gpy_lane() & (Size - 1); }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  template <class T> T shfl(T x, int rank, _GPY_SITE) const { return _gpy::exchange(mask, x, _gpy_lane_at(rank, Size), file, line); }
  template <class T> T shfl_up(T x, unsigned delta, _GPY_SITE) const { return _gpy::exchange(mask, x, _gpy_lane_up(delta, Size), file, line); }
  template <class T> T shfl_down(T x, unsigned delta, _GPY_SITE) const { return _gpy::exchange(mask, x, _gpy_lane_down(delta, Size), file, line); }
  template <class T> T shfl_xor(T x, unsigned lanes, _GPY_SITE) const { return _gpy::exchange(mask, x, _gpy_lane_xor((int)lanes, Size), file, line); }
};
// Any of them, known when the program runs.
class thread_group {
 public:
  thread_group(thread_block) : mask_(0) {}
  template <unsigned Size, class Parent> thread_group(const thread_block_tile<Size, Parent>& tile) : mask_(tile.mask) {}
  thread_group(const coalesced_group& group) : mask_(group.mask) {}
  void sync(_GPY_SITE) const {
    if (mask_ == 0) __syncthreads(file, line);
    else __syncwarp(mask_, file, line);
  }
  unsigned size() const { return mask_ == 0 ? thread_block::size() : lanes().size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return mask_ == 0 ? thread_block::thread_rank() : lanes().thread_rank(); }
  _gpy::lanes lanes() const { return {mask_}; }

 private:
  unsigned mask_;  // 0: the block
};
template <unsigned Size, class Parent> static inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return {}; }
// So many neighbours by rank.
static inline coalesced_group _gpy_neighbours(const _gpy::lanes& parent, unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  unsigned mask = 0;
  for (unsigned i = first; i < first + size && i < parent.size(); ++i) mask |= 1u << parent.lane_of(i);
  return coalesced_group(mask);
}
static inline thread_group tiled_partition(const thread_block&, unsigned size) { return _gpy_neighbours({~0u}, size); }
static inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  return _gpy_neighbours(parent.size() > 32 ? _gpy::lanes{~0u} : parent.lanes(), size);
}
static inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) { return _gpy_neighbours(parent, size); }
template <class Group> static inline coalesced_group labeled_partition(const Group& group, int label, _GPY_SITE) {
  return coalesced_group(__match_any_sync(group.mask, label, file, line));
}
template <class Group> static inline coalesced_group binary_partition(const Group& group, bool predicate, _GPY_SITE) {
  return labeled_partition(group, predicate, file, line);
}
template <class Group> static inline void sync(const Group& group, _GPY_SITE) { group.sync(file, line); }
template <class Group> static inline auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> static inline auto group_size(const Group& group) { return group.size(); }
template <class Group, class F> static inline void invoke_one(const Group& group, F&& f) {
  if (group.thread_rank() == 0) f();
}
)GPY";

// A group's values are combined in the order of their ranks, by halves, as the device does it.
constexpr std::string_view kAlgorithms = R"GPY(
template <class T = void> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T = void> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = void> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T = void> struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T = void> struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T = void> struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };
template <> struct plus<void> { template <class T> T operator()(T a, T b) const { return a + b; } };
template <> struct less<void> { template <class T> T operator()(T a, T b) const { return b < a ? b : a; } };
template <> struct greater<void> { template <class T> T operator()(T a, T b) const { return a < b ? b : a; } };
template <class Group, class T, class F> static inline T reduce(const Group& group, T x, F&& combine, _GPY_SITE) {
  const unsigned size = group.size(), rank = group.thread_rank();
  unsigned offset = 1;
  while (offset < size) offset *= 2;
  for (offset /= 2; offset > 0; offset /= 2) {
    const T other = group.shfl_down(x, offset, file, line);
    if (rank + offset < size && rank < offset) x = combine(x, other);
  }
  return group.shfl(x, 0, file, line);
}
template <class Group, class T, class F> static inline T inclusive_scan(const Group& group, T x, F&& combine, _GPY_SITE) {
  const unsigned rank = group.thread_rank();
  for (unsigned offset = 1; offset < group.size(); offset *= 2) {
    const T other = group.shfl_up(x, offset, file, line);
    if (rank >= offset) x = combine(other, x);
  }
  return x;
}
template <class Group, class T> static inline T inclusive_scan(const Group& group, T x, _GPY_SITE) { return inclusive_scan(group, x, plus<T>(), file, line); }
template <class Group, class T, class F> static inline T exclusive_scan(const Group& group, T x, F&& combine, _GPY_SITE) {
  const T before = group.shfl_up(inclusive_scan(group, x, combine, file, line), 1, file, line);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> static inline T exclusive_scan(const Group& group, T x, _GPY_SITE) { return exclusive_scan(group, x, plus<T>(), file, line); }
// A copy by all threads of the group, which is done when they have waited for it.
template <class Group, class T, class U> static inline void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes; i += group.size()) ((char*)to)[i] = ((const char*)from)[i];
}
template <class Group> static inline void wait(const Group& group, _GPY_SITE) { group.sync(file, line); }
template <unsigned Stages, class Group> static inline void wait_prior(const Group& group, _GPY_SITE) { group.sync(file, line); }
}  // namespace cooperative_groups
)GPY";

}  // namespace

std::string_view cooperative_groups_text() {
  static const std::string& text =
      *new std::string(std::string(kLanes) + std::string(kGroups) + std::string(kAlgorithms));
  return text;
}

}  // namespace gpy::rt
