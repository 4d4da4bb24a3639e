#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// An operation of a warp is done for all its lanes by the one that comes last. Operations without a
// mask are for the lanes that come to the same place: they are done when no thread of the block can
// run on, at the place that stands first in the text, since lanes that took different ways come
// together behind them.
constexpr std::string_view kMeeting = R"GPY(
#line 1 "<called>"
enum _gpy_warp_kind {
  _gpy_warp_sync, _gpy_warp_shuffle, _gpy_warp_ballot, _gpy_warp_lanes, _gpy_warp_match_any, _gpy_warp_match_all,
  _gpy_warp_add, _gpy_warp_min, _gpy_warp_max, _gpy_warp_umin, _gpy_warp_umax, _gpy_warp_and, _gpy_warp_or, _gpy_warp_xor
};
static inline unsigned _gpy_lane() { return _gpy_rank() & 31; }
static inline unsigned long long _gpy_ballot_of(const _gpy_warp& warp, unsigned lanes) {
  unsigned ballot = 0;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    ballot |= (unsigned)(warp.value[lane] != 0) << lane;
  }
  return ballot;
}
static inline unsigned long long _gpy_matches(const _gpy_warp& warp, unsigned lanes, unsigned long long value) {
  unsigned same = 0;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    same |= (unsigned)(warp.value[lane] == value) << lane;
  }
  return same;
}
static inline unsigned long long _gpy_combined(int kind, unsigned x, unsigned y) {
  switch (kind) {
    case _gpy_warp_add: return x + y;
    case _gpy_warp_min: return (int)x < (int)y ? x : y;
    case _gpy_warp_max: return (int)x < (int)y ? y : x;
    case _gpy_warp_umin: return x < y ? x : y;
    case _gpy_warp_umax: return x < y ? y : x;
    case _gpy_warp_and: return x & y;
    case _gpy_warp_or: return x | y;
    default: return x ^ y;
  }
}
static inline unsigned long long _gpy_lanes_total(const _gpy_warp& warp, unsigned lanes, int kind) {
  unsigned long long sum = warp.value[__builtin_ctz(lanes)];
  for (unsigned rest = lanes & (lanes - 1); rest; rest &= rest - 1)
    sum = _gpy_combined(kind, (unsigned)sum, (unsigned)warp.value[__builtin_ctz(rest)]);
  return sum;
}
// What all lanes get alike; a lane of a shuffle or a match gets its own.
static inline unsigned long long _gpy_common(const _gpy_warp& warp, unsigned lanes, int kind) {
  switch (kind) {
    case _gpy_warp_sync: case _gpy_warp_shuffle: case _gpy_warp_match_any: return 0;
    case _gpy_warp_ballot: return _gpy_ballot_of(warp, lanes);
    case _gpy_warp_lanes: return lanes;
    case _gpy_warp_match_all: return _gpy_matches(warp, lanes, warp.value[__builtin_ctz(lanes)]) == lanes ? lanes : 0;
    default: return _gpy_lanes_total(warp, lanes, kind);
  }
}
static inline unsigned long long _gpy_own(const _gpy_warp& warp, unsigned lanes, int lane) {
  if (warp.kind[lane] == _gpy_warp_match_any) return _gpy_matches(warp, lanes, warp.value[lane]);
  const int from = warp.from[lane];
  return warp.value[lanes >> from & 1 ? from : lane];
}
static void _gpy_resolve(_gpy_warp& warp, unsigned lanes, int kind) {
  const unsigned long long common = _gpy_common(warp, lanes, kind);
  const bool own = kind == _gpy_warp_shuffle || kind == _gpy_warp_match_any;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    warp.result[lane] = own ? _gpy_own(warp, lanes, lane) : common;
  }
  warp.waiting &= ~lanes;
  _gpy_block_state* state = _gpy_block_of(_gpy_stack());
  _gpy_tell(_gpy_steps, state, (unsigned)(&warp - state->warps), 0, 0);
}
static void _gpy_make_lanes_ready(_gpy_block_state* state, unsigned warp, unsigned lanes) {
  for (; lanes; lanes &= ~(1u << (31 - __builtin_clz(lanes))))
    _gpy_make_ready(state, warp * 32 + 31 - __builtin_clz(lanes));
}
// The lanes that wait for the same operation as this one.
static unsigned _gpy_lanes_like(const _gpy_warp& warp, int lane) {
  unsigned like = 0;
  for (unsigned rest = warp.waiting; rest; rest &= rest - 1) {
    const int other = __builtin_ctz(rest);
    like |= (unsigned)(warp.mask[other] == warp.mask[lane] && warp.kind[other] == warp.kind[lane] &&
                       warp.site[other] == warp.site[lane]) << other;
  }
  return like;
}
// The lanes of this one's operation, if all have come.
static inline unsigned _gpy_complete(const _gpy_warp& warp, int lane) {
  const unsigned lanes = warp.mask[lane] & warp.alive;
  return lanes && (warp.waiting & lanes) == lanes && (_gpy_lanes_like(warp, lane) & lanes) == lanes ? lanes : 0;
}
// The lane whose operation without a mask comes first; 32 if none waits for one.
static int _gpy_first_implicit(const _gpy_warp& warp) {
  int first = 32;
  for (unsigned rest = warp.waiting; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (warp.mask[lane] == 0 && (first == 32 || warp.site[lane] < warp.site[first])) first = lane;
  }
  return first;
}
static bool _gpy_resolve_implicit(_gpy_block_state* state) {
  const unsigned warps = (state->extents.x * state->extents.y * state->extents.z + 31) / 32;
  for (unsigned i = warps; i-- > 0;) {
    _gpy_warp& warp = state->warps[i];
    const int lane = _gpy_first_implicit(warp);
    if (lane == 32) continue;
    const unsigned lanes = _gpy_lanes_like(warp, lane);
    _gpy_resolve(warp, lanes, warp.kind[lane]);
    _gpy_make_lanes_ready(state, i, lanes);
  }
  return state->ready != 0;
}
// A place in the text: the line, and which operation of this line it is, as this lane comes to them.
static inline int _gpy_site(_gpy_warp& warp, int lane, int kind, int line) {
  const bool again = warp.line[lane] == line && kind != _gpy_warp_lanes;
  warp.line[lane] = line;
  return line << 8 | (again ? (warp.site[lane] + 1) & 255 : 0);
}
// A lane that returns is not waited for.
static inline void _gpy_note_return(_gpy_block_state* state, unsigned rank) {
  _gpy_warp& warp = state->warps[rank / 32];
  warp.alive &= ~(1u << rank % 32);
  for (unsigned rest = warp.waiting; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const unsigned lanes = warp.waiting >> lane & 1 ? _gpy_complete(warp, lane) : 0;
    if (!lanes) continue;
    _gpy_resolve(warp, lanes, warp.kind[lane]);
    _gpy_make_lanes_ready(state, rank / 32, lanes);
  }
}
// `mask` 0: the operation has none.
static __attribute__((noinline)) unsigned long long _gpy_meet(unsigned mask, int kind, unsigned long long value, int from, const char* file, int line) {
  const unsigned rank = _gpy_rank_of(_gpy_stack());
  _gpy_block_state* state = _gpy_block_of(_gpy_stack());
  _gpy_warp& warp = state->warps[rank / 32];
  const int lane = rank % 32;
  warp.mask[lane] = mask;
  warp.kind[lane] = kind;
  warp.site[lane] = mask ? 0 : _gpy_site(warp, lane, kind, line);
  warp.value[lane] = value;
  warp.from[lane] = from;
  warp.waiting |= 1u << lane;
  if (const unsigned lanes = _gpy_complete(warp, lane)) {
    _gpy_resolve(warp, lanes, kind);
    _gpy_make_lanes_ready(state, rank / 32, lanes & ~(1u << lane));
    return warp.result[lane];
  }
  state->file = file;
  state->line = line;
  _gpy_wait(state, state->fibers + rank, file, line);
  return warp.result[lane];
}
)GPY";

constexpr std::string_view kOperations = R"GPY(
template <class T> static inline unsigned long long _gpy_to_bits(T x) {
  static_assert(sizeof(T) <= 8, "a warp exchanges values of at most 8 bytes");
  unsigned long long bits = 0;
  memcpy((void*)&bits, &x, sizeof(T));
  return bits;
}
template <class T> static inline T _gpy_of_bits(unsigned long long bits) {
  T x;
  memcpy((void*)&x, &bits, sizeof(T));
  return x;
}
static inline int _gpy_lane_at(int from, int width) { return ((int)_gpy_lane() & -width) | (from & (width - 1)); }
static inline int _gpy_lane_up(unsigned delta, int width) {
  const int lane = _gpy_lane(), from = lane - (int)delta;
  return from < (lane & -width) ? lane : from;
}
static inline int _gpy_lane_down(unsigned delta, int width) {
  const int lane = _gpy_lane(), from = lane + (int)delta;
  return from > (lane | (width - 1)) ? lane : from;
}
static inline int _gpy_lane_xor(int mask, int width) {
  const int lane = _gpy_lane(), from = lane ^ mask;
  return from > (lane | (width - 1)) ? lane : from & 31;
}
// With a mask, and as it was before: for the lanes that come.
#define _GPY_SHUFFLE(name, argument, lane) \
  template <class T> static inline T name##_sync(unsigned mask, T x, argument, int width = 32, _GPY_SITE) { \
    return _gpy_of_bits<T>(_gpy_meet(mask, _gpy_warp_shuffle, _gpy_to_bits(x), lane, file, line)); \
  } \
  template <class T> static inline T name(T x, argument, int width = 32, _GPY_SITE) { \
    return _gpy_of_bits<T>(_gpy_meet(0, _gpy_warp_shuffle, _gpy_to_bits(x), lane, file, line)); \
  }
_GPY_SHUFFLE(__shfl, int from, _gpy_lane_at(from, width))
_GPY_SHUFFLE(__shfl_up, unsigned delta, _gpy_lane_up(delta, width))
_GPY_SHUFFLE(__shfl_down, unsigned delta, _gpy_lane_down(delta, width))
_GPY_SHUFFLE(__shfl_xor, int lanes, _gpy_lane_xor(lanes, width))
#undef _GPY_SHUFFLE
static inline void __syncwarp(unsigned mask = 0xffffffffu, _GPY_SITE) { _gpy_meet(mask, _gpy_warp_sync, 0, 0, file, line); }
static inline unsigned __activemask(_GPY_SITE) { return (unsigned)_gpy_meet(0, _gpy_warp_lanes, 0, 0, file, line); }
static inline unsigned _gpy_vote(unsigned mask, bool predicate, const char* file, int line) {
  return (unsigned)_gpy_meet(mask, _gpy_warp_ballot, predicate, 0, file, line);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate, _GPY_SITE) { return _gpy_vote(mask, predicate != 0, file, line); }
static inline int __any_sync(unsigned mask, int predicate, _GPY_SITE) { return _gpy_vote(mask, predicate != 0, file, line) != 0; }
static inline int __all_sync(unsigned mask, int predicate, _GPY_SITE) { return _gpy_vote(mask, predicate == 0, file, line) == 0; }
static inline int __uni_sync(unsigned mask, int predicate, _GPY_SITE) {
  const unsigned lanes = (unsigned)_gpy_meet(mask, _gpy_warp_lanes, 0, 0, file, line);
  const unsigned votes = _gpy_vote(mask, predicate != 0, file, line);
  return votes == 0 || votes == lanes;
}
static inline unsigned __ballot(int predicate, _GPY_SITE) { return _gpy_vote(0, predicate != 0, file, line); }
static inline int __any(int predicate, _GPY_SITE) { return _gpy_vote(0, predicate != 0, file, line) != 0; }
static inline int __all(int predicate, _GPY_SITE) { return _gpy_vote(0, predicate == 0, file, line) == 0; }
template <class T> static inline unsigned __match_any_sync(unsigned mask, T x, _GPY_SITE) {
  return (unsigned)_gpy_meet(mask, _gpy_warp_match_any, _gpy_to_bits(x), 0, file, line);
}
template <class T> static inline unsigned __match_all_sync(unsigned mask, T x, int* same, _GPY_SITE) {
  const unsigned lanes = (unsigned)_gpy_meet(mask, _gpy_warp_match_all, _gpy_to_bits(x), 0, file, line);
  *same = lanes != 0;
  return lanes;
}
#define _GPY_REDUCE(type, name, kind) \
  static inline type name(unsigned mask, type x, _GPY_SITE) { \
    return (type)_gpy_meet(mask, kind, (unsigned)x, 0, file, line); \
  }
_GPY_REDUCE(int, __reduce_add_sync, _gpy_warp_add) _GPY_REDUCE(unsigned, __reduce_add_sync, _gpy_warp_add)
_GPY_REDUCE(int, __reduce_min_sync, _gpy_warp_min) _GPY_REDUCE(unsigned, __reduce_min_sync, _gpy_warp_umin)
_GPY_REDUCE(int, __reduce_max_sync, _gpy_warp_max) _GPY_REDUCE(unsigned, __reduce_max_sync, _gpy_warp_umax)
_GPY_REDUCE(unsigned, __reduce_and_sync, _gpy_warp_and) _GPY_REDUCE(unsigned, __reduce_or_sync, _gpy_warp_or)
_GPY_REDUCE(unsigned, __reduce_xor_sync, _gpy_warp_xor)
#undef _GPY_REDUCE
)GPY";

}  // namespace

std::string_view warp_text() {
  static const std::string& text =
      *new std::string(std::string(kMeeting) + std::string(kOperations));
  return text;
}

}  // namespace gpy::rt
